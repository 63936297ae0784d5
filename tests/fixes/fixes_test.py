#!/usr/bin/env python3
"""What --fix writes, what it leaves alone, and why.

fixes_test.py SMEM_LINT KERNELS CASE [ARGUMENT]"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Programs of the catalogue whose conflicts are repaired in words only, and the reason that must be given.
NOT_WRITTEN = {
    "fft_exchange": "serves other kernels or instantiations",
    "struct_access": "selects a whole structure",
}

LONG = bool(os.environ.get("SMEM_LINT_LONG_TESTS"))
# Four loads of a row that nvcc makes one of: an exclusive or in the index makes it four again.
MERGED = """__global__ void k(const float *in, float *out) {
  __shared__ float sums[16*16];
  int tx = threadIdx.x, ty = threadIdx.y, i = 16*ty + tx;
  sums[i] = in[256*blockIdx.x + i];
  __syncthreads();
  if (ty == 0)
    out[16*blockIdx.x + tx] = sums[16*tx+0] + sums[16*tx+1] + sums[16*tx+2] + sums[16*tx+3];
}
void run(const float *in, float *out) { k<<<64, dim3(16,16)>>>(in, out); }
"""

# A table of launches for each stride from 1 on; for each change of the first nine of them.
TABLE = (b"make_integer_sequence<int, 33>", b"make_integer_sequence<int, 9>")

TILE = """__global__ void columns(const float *in, float *out) {
  __shared__ float tile[32][32];
  for (int y = 0; y < 32; ++y) tile[y][threadIdx.x] = in[y * 32 + threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) sum += tile[threadIdx.x][k];
  out[threadIdx.x] = sum;
}
void launch(const float *in, float *out) { columns<<<64, 32>>>(in, out); }
"""


def lint(*arguments, cwd=None):
    return subprocess.run([LINT, "--cuda-path=none", *map(str, arguments)], capture_output=True, text=True, cwd=cwd)


def findings(path, *options):
    done = lint("--format=json", *options, path)
    assert done.returncode in (0, 1), done.stderr
    return [f for f in json.loads(done.stdout)["findings"] if f["rule"] == "smem-bank-conflict"]


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def fix(path, *options, cwd=None):
    done = lint("--fix", "--fail-on=never", *options, path, cwd=cwd)
    expect(done.returncode == 0, f"exit code {done.returncode}: {done.stderr}")
    return done


class Folder:
    """A project of its own: edits stay within it."""

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.path = Path(self.temporary.name)
        return self

    def __exit__(self, *ignored):
        self.temporary.cleanup()

    def file(self, name, contents):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return path


def case_written():
    with Folder() as folder:
        path = folder.file("k.cu", TILE)
        before = findings(path)
        expect(len(before) == 1 and before[0]["severity"] == "warning", f"a conflict to begin with: {before}")
        done = fix(path)
        expect(path.read_text() == TILE.replace("tile[32][32];", "tile[32][33];"), path.read_text())
        expect("1 edit in 1 file" in done.stderr, done.stderr)
        expect("no findings" in done.stdout, "the report is about the edited source: " + done.stdout)
        expect(not findings(path), "no conflict is left")
        expect(sorted(os.listdir(folder.path)) == ["k.cu"], "nothing else stays behind")


def case_line_ends():
    with Folder() as folder:
        source = (KERNELS / "bitonic_sort.cu").read_bytes()
        folder.file("catalogue.h", (KERNELS / "catalogue.h").read_bytes())
        unix, dos = folder.file("unix.cu", source), folder.file("dos.cu", source.replace(b"\n", b"\r\n"))
        fix(unix), fix(dos)
        expect(unix.read_bytes() != source, "there was something to write")
        expect(dos.read_bytes() == unix.read_bytes().replace(b"\n", b"\r\n"), "line ends stay as they are")


def case_bytes():
    with Folder() as folder:
        comment = b"// Gr\xfc\xdfe, \xef\xbb\xbf \x00\n"
        path = folder.file("k.cu", b"\xef\xbb\xbf" + comment + TILE.encode() + comment.rstrip(b"\n"))
        fix(path)
        expect(path.read_bytes() == b"\xef\xbb\xbf" + comment + TILE.replace("tile[32][32];", "tile[32][33];").encode() + comment.rstrip(b"\n"), path.read_bytes())


HEADER = TILE[: TILE.index("void launch")]
INCLUDING = '#include "columns.cuh"\n' + TILE[TILE.index("void launch"):]


def case_header():
    """A header of the project is edited, once, though two files include it."""
    with Folder() as folder:
        header = folder.file("include/columns.cuh", HEADER)
        one, two = folder.file("one.cu", INCLUDING), folder.file("two.cu", INCLUDING)
        done = lint("--fix", "--fail-on=never", "--extra-arg=-Iinclude", one.name, two.name, cwd=folder.path)
        expect(done.returncode == 0, done.stderr)
        expect(header.read_text() == HEADER.replace("tile[32][32];", "tile[32][33];"), header.read_text())
        expect(one.read_text() == INCLUDING and two.read_text() == INCLUDING, "the files themselves stay")


def case_outside():
    """A header that lies outside of the project is not."""
    with Folder() as elsewhere, Folder() as folder:
        header = elsewhere.file("columns.cuh", HEADER)
        path = folder.file("k.cu", INCLUDING)
        done = fix(path.name, f"--extra-arg=-I{elsewhere.path}", cwd=folder.path)
        expect(header.read_text() == HEADER and path.read_text() == INCLUDING, "nothing is written")
        expect("is not one of the project's files" in done.stderr, done.stderr)
        expect("fix:" in done.stdout, "it is still suggested: " + done.stdout)


def case_link():
    with Folder() as folder:
        target = folder.file("real/k.cu", TILE)
        target.chmod(0o640)
        link = folder.path / "k.cu"
        link.symlink_to(target)
        fix(link)
        expect(link.is_symlink(), "a link stays a link")
        expect("tile[32][33]" in target.read_text() and target.stat().st_mode & 0o777 == 0o640, "its target is edited and keeps its permissions")


def case_twice():
    with Folder() as folder:
        path = folder.file("k.cu", TILE)
        fix(path)
        once = path.read_bytes()
        done = fix(path)
        expect(path.read_bytes() == once and "0 edits" in done.stderr, "the second time there is nothing to do: " + done.stderr)


def case_exported():
    """The edits of --export-fixes, applied by hand, are what --fix writes."""
    with Folder() as folder:
        source = (KERNELS / "scan_blelloch.cu").read_bytes()
        folder.file("catalogue.h", (KERNELS / "catalogue.h").read_bytes())
        path, fixed, yaml = folder.file("k.cu", source), folder.file("fixed.cu", source), folder.path / "fixes.yaml"
        lint(f"--export-fixes={yaml}", "--format=sarif", path)
        expect(path.read_bytes() == source, "the source is left alone")
        text = yaml.read_text()
        edits = re.findall(r"- FilePath:\s+'(.*)'\n\s+Offset:\s+(\d+)\n\s+Length:\s+(\d+)\n\s+ReplacementText:\s+(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^\n]*)\n", text)
        expect(len(edits) == text.count("ReplacementText") > 10, f"{len(edits)} edits")
        out = source
        for file, offset, length, new in sorted(edits, key=lambda edit: int(edit[1]), reverse=True):
            expect(file == str(path), file)
            new = json.loads(new) if new.startswith('"') else new[1:-1].replace("''", "'").replace("\n\n", "\n") if new.startswith("'") else new
            out = out[: int(offset)] + new.encode() + out[int(offset) + int(length):]
        fix(fixed)
        expect(out.split() == fixed.read_bytes().split(), "the same text, but for how YAML folds line ends")
        done = lint(f"--export-fixes={folder.path}/no/such/folder.yaml", path)
        expect(done.returncode == 2 and "--export-fixes" in done.stderr, done.stderr)


def case_refused():
    """Where an edit cannot be written, the suggestion stands and says why."""
    cases = {
        "comes out of a macro": """#define OWN s[threadIdx.x * 32]
__global__ void k(float *out) {
  __shared__ float s[2048];
  for (int i = threadIdx.x; i < 2048; i += 32) s[i] = out[i];
  __syncthreads();
  out[threadIdx.x] = OWN;
}""",
        "cannot be repeated": """__device__ int row() { static __shared__ int n; return threadIdx.x + 0 * n; }
__global__ void k(float *out) {
  __shared__ float s[96][128];
  for (int y = 0; y < 96; ++y) for (int x = threadIdx.x; x < 128; x += 32) s[y][x] = out[y * 128 + x];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 128; ++i) sum += s[row()][i];
  out[threadIdx.x] = sum;
}""",
        "is taken": """__device__ int s_at(int i) { return i; }
__global__ void k(float *out) {
  __shared__ float s[2048];
  for (int i = threadIdx.x; i < 2048; i += 32) s[i] = out[i];
  __syncthreads();
  out[threadIdx.x] = s[s_at(threadIdx.x * 32)];
}""",
    }
    with Folder() as folder:
        for reason, source in cases.items():
            path = folder.file("k.cu", source + "\nvoid launch(float *out) { k<<<1, 32>>>(out); }\n")
            found = findings(path, "--suggest-fixes")
            expect(found and found[0]["fixes"], f"a suggestion: {found}")
            suggestion = found[0]["fixes"][0]
            expect(not suggestion["edits"] and reason in (suggestion["not_written"] or ""), f"{reason}: {suggestion}")
            before = path.read_bytes()
            fix(path)
            expect(path.read_bytes() == before, "nothing is written")


def case_merged():
    """What only pays if nvcc merges the edited accesses, of which that is not certain, is no repair."""
    with Folder() as folder:
        path = folder.file("k.cu", MERGED)
        done = fix(path, "--format=json")
        expect("edits in 1 file" in done.stderr and "^" not in path.read_text(), path.read_text())
        shared = [site for launch in json.loads(done.stdout)["launches"] for site in launch["sites"] if site["space"] == "shared"]
        expect(len(shared) == 2 and all(site["verdict"] == "exact" for site in shared), f"what nvcc does with the repaired accesses is certain: {shared}")

def case_dynamic():
    """Memory whose size comes from the launch is swizzled, not made longer."""
    with Folder() as folder:
        path = folder.file("k.cu", """__global__ void k(float *out) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < 1024; i += 32) s[i] = out[i];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 32; ++i) sum += s[threadIdx.x * 32 + i];
  out[threadIdx.x] = sum;
}
void launch(float *out) { k<<<1, 32, 4096>>>(out); }
""")
        fix(path)
        text = path.read_text()
        expect("i ^ (i / 32 % 32)" in text and "extern __shared__ float s[];" in text and "4096" in text, text)
        expect(not findings(path), "no conflict is left")


def case_wrong():
    """Edits that would compile and look good in the model, but change what the kernel computes."""
    with Folder() as folder:
        # The rows are also reached through a pointer that knows the old pitch.
        path = folder.file("k.cu", TILE.replace("tile[y][threadIdx.x] = in", "(&tile[0][0])[y * 32 + threadIdx.x] = in"))
        before = path.read_text()
        fix(path)
        text = path.read_text()
        expect("tile[32][33]" not in text, text)
        found = findings(path)
        expect(text == before or not found, "an edit is complete or not made")


def case_several():
    """Arrays that share code get one layout; those that do not, one each."""
    with Folder() as folder:
        path = folder.file("k.cu", """__device__ float column(const float (&t)[32][32]) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) sum += t[threadIdx.x][k];
  return sum;
}
__global__ void first(const float *in, float *out) {
  __shared__ float a[32][32];
  for (int y = 0; y < 32; ++y) a[y][threadIdx.x] = in[y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = column(a);
}
__global__ void second(const float *in, float *out) {
  __shared__ float b[32][32];
  for (int y = 0; y < 32; ++y) b[y][threadIdx.x] = in[32 * y + threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = column(b);
}
void launch(const float *in, float *out) { first<<<1, 32>>>(in, out); second<<<1, 32>>>(in, out); }
""")
        fix(path)
        text = path.read_text()
        expect(text.count("[32][33]") == 3 and "[32][32]" not in text, text)
        expect(not findings(path), "no conflict is left")


def case_layouts():
    """Where instantiations want different layouts, the text has the one that is written."""
    with Folder() as folder:
        path = folder.file("k.cu", """template <typename T, int W> __global__ void tr(const T *in, T *out, int n) {
  __shared__ T t[W][W];
  t[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * n + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
void launch(const float *a, float *b, const double *c, double *d) {
  tr<float, 32><<<1, dim3(32, 32)>>>(a, b, 32);
  tr<double, 32><<<1, dim3(32, 32)>>>(c, d, 32);
  tr<float, 16><<<1, dim3(16, 16)>>>(a, b, 32);
}
""")
        said = lint("--suggest-fixes", "--fail-on=never", path).stdout
        declared = "T t[W][W + (W == 16 ? 0 : 1)]"
        expect(f"fix:  swizzle the index where W == 16, pad the rows elsewhere: `{declared}`" in said, said)
        fix(path)
        expect(declared in path.read_text(), path.read_text())


def case_refuted():
    """A swizzle keeps the compiler from merging these loads, and then it does not help: nothing of it is said."""
    with Folder() as folder:
        path = folder.file("k.cu", """__global__ void k(float *out) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < 2048; i += 32) s[i] = out[i];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += s[threadIdx.x * 8 + i] * i;
  out[threadIdx.x] = sum;
}
void launch(float *out) { k<<<1, 32, 8192>>>(out); }
""")
        found = findings(path, "--suggest-fixes")
        expect(len(found) == 1, f"a conflict to begin with: {found}")
        for suggestion in found[0]["fixes"]:
            expect(suggestion["edits"], f"what cannot be proved is not offered: {suggestion}")


def case_shards():
    """The parts of a run carry their suggestions; an HTML report cannot be made of them."""
    with Folder() as folder:
        names = [folder.file(f"{name}.cu", TILE.replace("columns", f"columns_{name}")).name for name in "abc"]
        for number in (1, 2):
            done = lint("--suggest-fixes", f"--shard={number}/2", "-o", f"part{number}", *names, cwd=folder.path)
            expect(done.returncode == 0, done.stderr)
        for form in ("sarif", "json", "text"):
            whole = lint("--suggest-fixes", f"--format={form}", *names, cwd=folder.path)
            merged = subprocess.run([LINT, "merge", f"--format={form}", "part1", "part2"], capture_output=True, text=True, cwd=folder.path)
            expect("32][33]" in whole.stdout and merged.stdout == whole.stdout, f"{form}: {merged.stdout} {merged.stderr}")
        for options, reason in ((["merge", "--format=html", "part1", "part2"], "HTML"), (["merge", "--fix", "part1", "part2"], "--fix"), (["--fix", "--shard=1/2", "-o", "x", *names], "--shard")):
            done = subprocess.run([LINT, *options], capture_output=True, text=True, cwd=folder.path)
            expect(done.returncode == 2 and reason in done.stderr, f"{options}: {done.stderr}")


def case_standard_input():
    done = subprocess.run([LINT, "--fix", "-"], input=TILE, capture_output=True, text=True)
    expect(done.returncode == 2 and "standard input" in done.stderr, done.stderr)


PATCH = """--- k.cu
+++ k.cu
@@ -1,5 +1,5 @@
 __global__ void columns(const float *in, float *out) {
-  __shared__ float tile[32][32];
+  __shared__ float tile[32][33];
   for (int y = 0; y < 32; ++y) tile[y][threadIdx.x] = in[y * 32 + threadIdx.x];
   __syncthreads();
   float sum = 0;
"""


def apply(folder, patch):
    subprocess.run(["git", "apply", "-p0", "--whitespace=nowarn", str(patch)], cwd=folder.path, check=True, env={**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.path.parent)})


def case_diff():
    """--diff prints what --fix would write, writes nothing, and its exit code says whether there is something."""
    with Folder() as folder:
        path = folder.file("k.cu", TILE)
        for options in ((), ("--fix",), ("--quiet",), ("--fail-on=error",)):
            done = lint("--diff", *options, "k.cu", cwd=folder.path)
            expect(done.returncode == 1 and done.stdout == PATCH, f"{options}: {done.returncode} {done.stdout}")
            expect(("1 edit in 1 file would be written" in done.stderr) == ("--quiet" not in options), done.stderr)
        expect(path.read_text() == TILE and os.listdir(folder.path) == ["k.cu"], "nothing is written")
        expect(lint("--diff", "--fail-on=never", "k.cu", cwd=folder.path).returncode == 0, "--fail-on=never")
        done = lint("--diff", "--color=always", "k.cu", cwd=folder.path)
        expect(re.sub(r"\x1b\[[0-9;]*m", "", done.stdout) == PATCH and done.stdout != PATCH, done.stdout)
        expect(lint("--diff", ".", cwd=folder.path).stdout == PATCH, "a folder")
        done = lint("--diff", "-o", "fix.patch", "k.cu", cwd=folder.path)
        expect(done.returncode == 1 and done.stdout == "", done.stdout)
        apply(folder, "fix.patch")
        expect(path.read_text() == TILE.replace("tile[32][32];", "tile[32][33];"), path.read_text())
        done = lint("--diff", "k.cu", cwd=folder.path)
        expect(done.returncode == 0 and done.stdout == "", "nothing is left: " + done.stdout)
        folder.file("bad.cu", "#error no\n")
        folder.file("k.cu", TILE)
        done = lint("--diff", "bad.cu", "k.cu", cwd=folder.path)
        expect(done.returncode == 2 and done.stdout == PATCH, "a file that failed is never clean, and the others have their patch")


def case_diff_bytes():
    """A patch in a file has the bytes of the source; what is printed has no hidden characters, and that is said."""
    with Folder() as folder:
        source = (b"\xef\xbb\xbf// Gr\xfc\xdfe \x1b]0;x\x07 ##[group]\r\n" + TILE.encode().replace(b"\n", b"\r\n")).rstrip(b"\r\n")
        path = folder.file("a b.cu", source)
        printed = subprocess.run([LINT, "--cuda-path=none", "--diff", "a b.cu"], capture_output=True, cwd=folder.path)
        expect(b"\x1b" not in printed.stdout and b"##[" not in printed.stdout and b"-o FILE" in printed.stderr, printed)
        done = lint("--diff", "-o", "fix.patch", "a b.cu", cwd=folder.path)
        expect(done.returncode == 1 and "spelled" not in done.stderr, done.stderr)
        apply(folder, "fix.patch")
        by_diff = path.read_bytes()
        path.write_bytes(source)
        fix(path)
        expect(by_diff == path.read_bytes() != source, by_diff)


def case_diff_project():
    """The same files as with --fix: a header once, and none outside of the project."""
    with Folder() as elsewhere, Folder() as folder:
        folder.file("include/columns.cuh", HEADER)
        for name in ("one.cu", "two.cu"):
            folder.file(name, INCLUDING)
        done = lint("--diff", "--extra-arg=-Iinclude", "two.cu", "one.cu", cwd=folder.path)
        expect(done.returncode == 1 and done.stdout == PATCH.replace("k.cu", "include/columns.cuh"), done.stdout)
        folder.file("z/k.cu", TILE), folder.file("a/k.cu", TILE.replace("columns", "other"))
        one, many = (lint("--diff", f"-j{jobs}", "--extra-arg=-Iinclude", ".", cwd=folder.path).stdout for jobs in (1, 8))
        expect(one == many, "the same at any number of jobs")
        expect(re.findall(r"^--- (.*)", one, re.M) == ["a/k.cu", "include/columns.cuh", "z/k.cu"], one)
        elsewhere.file("columns.cuh", HEADER)
        done = lint("--diff", f"--extra-arg=-I{elsewhere.path}", "one.cu", cwd=folder.path)
        expect(done.returncode == 0 and done.stdout == "" and "is not one of the project's files" in done.stderr, done.stdout + done.stderr)


def case_diff_options():
    with Folder() as folder:
        folder.file("k.cu", TILE)
        for options, reason in ((["--format=json"], "--format"), (["--statistics"], "--statistics"), (["--table"], "--table"), (["--export-fixes=x"], "--export-fixes"),
                                (["--baseline=b", "--update-baseline"], "--update-baseline"), (["--shard=1/2", "-o", "x"], "--shard"), (["-"], "standard input"),
                                (["--as-compiled"], "--diff"), (["-o", "no/such/folder/x"], "cannot write")):
            done = lint("--diff", *options, "k.cu", cwd=folder.path)
            expect(done.returncode == 2 and reason in done.stderr, f"{options}: {done.stderr}")
        for subcommand in ("diff", "merge"):
            done = subprocess.run([LINT, subcommand, "--diff", "x"], capture_output=True, text=True, cwd=folder.path)
            expect(done.returncode == 2 and "--diff" in done.stderr, done.stderr)
        expect(os.listdir(folder.path) == ["k.cu"], "nothing is written")


def case_catalogue(part):
    """Every conflict of the catalogue has a repair without excess; but for the exceptions above it is written, and it holds."""
    number, parts = map(int, part.split("/"))
    sources = sorted(KERNELS.glob("*.cu"))
    with Folder() as folder:
        folder.file("catalogue.h", (KERNELS / "catalogue.h").read_bytes())
        for index, source in enumerate(sources):
            if index % parts + 1 != number:
                continue
            text = source.read_bytes() if LONG else source.read_bytes().replace(*TABLE)
            copy = folder.file(source.name, text)
            # A run that shows edits finds those that --fix writes: every other file shows them, all of them where there is time.
            shows = index // parts % 2 == 0 or LONG or source.stem in NOT_WRITTEN
            if not (found := findings(copy, *(["--suggest-fixes"] if shows else []))):
                continue
            for finding in found if shows else []:
                place = f"{source.name}:{finding['line']}"
                expect(finding["fixes"], f"{place}: no suggestion")
                suggestion = finding["fixes"][0]
                expect(suggestion["wavefronts_after"] == suggestion["ideal_wavefronts_after"], f"{place}: {suggestion}")
                reason = NOT_WRITTEN.get(source.stem)
                expect(bool(suggestion["edits"]) == (reason is None), f"{place}: {suggestion['not_written']}")
                expect(reason is None or reason in suggestion["not_written"], f"{place}: {suggestion['not_written']}")
            if source.stem in NOT_WRITTEN:
                continue
            said = json.loads(fix(copy, "--format=json").stdout)["findings"]  # of the edited source
            expect(not any(f["rule"] == "smem-bank-conflict" for f in said), f"{source.name}: conflicts are left")
            fixed = copy.read_bytes()
            # Another run says the same, and a patch is the same edits, printed: one file in six shows it, all of them where there is time.
            if index // parts % 6 == 0 or LONG:
                expect(not findings(copy), f"{source.name}: conflicts are left")
                copy.write_bytes(text)
                lint("--diff", "-o", "fix.patch", source.name, cwd=folder.path)
                apply(folder, "fix.patch")
                expect(copy.read_bytes() == fixed, f"{source.name}: --diff and --fix do not agree")
            print(f"{source.name}: {len(found)} findings repaired")


if __name__ == "__main__":
    LINT, KERNELS = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
    globals()[f"case_{sys.argv[3]}"](*sys.argv[4:])
