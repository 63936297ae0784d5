#!/usr/bin/env python3
"""Machine code by itself, as its users meet it: listings recorded from the catalogue, cubins and tools that only pretend to be such.

    machine_code_test.py SMEM_LINT [Listings|Cubins|Containers|Ptx|Triton|Recorded]
"""
import json
import os
import pathlib
import re
import stat
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINT = ""
CUDA, X86, ARM = 190, 62, 183


def listing(name):
    return HERE / "data" / f"{name}.sass"


def lint(*arguments, env=None, cwd=ROOT):
    return subprocess.run([LINT, "--cuda-path=none", *map(str, arguments)], cwd=cwd, env=env, capture_output=True, text=True, check=False)


def report(*arguments, **options):
    done = lint("--format=json", "--fail-on=never", *arguments, **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def elf(kernels=(), machine=CUDA, abi=8, flags=0x5A04, sections=(), contents=None):
    """An ELF file of 64 bits with a symbol for each kernel and empty sections of the given names."""
    names, strings = b"\0", b"\0"
    symbols = bytes(24)
    for kernel in kernels:
        symbols += struct.pack("<IBBHQQ", len(strings), 0x12, 0x10, 1, 0, 16)
        strings += kernel.encode() + b"\0"
    table = [(".symtab", 2, symbols, 2, 24), (".strtab", 3, strings, 0, 0), *((name, 1, (contents or {}).get(name, b""), 0, 0) for name in sections), (".shstrtab", 3, b"", 0, 0)]
    offsets = []
    for name, *_ in table:
        offsets.append(len(names))
        names += name.encode() + b"\0"
    body, headers = b"", bytes(64)
    for (name, kind, content, link, entry), offset in zip(table, offsets):
        content = names if name == ".shstrtab" else content
        headers += struct.pack("<IIQQQQIIQQ", offset, kind, 0, 0, 64 + len(body), len(content), link, 0, 1, entry)
        body += content
    ident = b"\x7fELF\x02\x01\x01\x41" + bytes([abi]) + bytes(7)
    head = ident + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 0, 64 + len(body), flags, 64, 0, 0, 64, len(table) + 1, len(table))
    return head + body + headers


class Listings(unittest.TestCase):
    def test_findings_as_of_a_source(self):
        done = lint(listing("gemm_tiled_conflict"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("kernels/gemm_tiled_conflict.cu:83: warning: 32-way bank conflict: load of const float b = Bs[tx][i] takes 32 wavefronts instead of 1", done.stdout)
        self.assertIn("kernels/gemm_tiled_conflict.cu:57: warning: 8-way bank conflict", done.stdout)
        self.assertIn("from machine code (", done.stdout)

    def test_a_launch_that_is_stated(self):
        # As the host code of this file has it; the source gives the same counts.
        launch = "--launch=block=(32,32) grid=(32,32) arg3=1024 arg4=1024 arg5=1024"
        sites = {(site["line"], site["space"], site["operation"], site["width_bits"]): site for site in report(launch, listing("gemm_tiled_conflict"), "--kernel=gemm_tiled_conflict")["launches"][0]["sites"]}
        self.assertEqual((sites[57, "shared", "load", 128]["wavefronts"], sites[57, "shared", "load", 128]["verdict"]), (268435456, "exact"))
        self.assertEqual((sites[51, "global", "load", 32]["sectors"], sites[51, "global", "load", 32]["tags"]), (4194304, 1048576))

    def test_launches_of_a_file_beside_it(self):
        # What smem-lint says of the source serves, and so does what a person writes.
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "gemm_tiled_conflict.sass")
            path.write_text(listing("gemm_tiled_conflict").read_text())
            beside = path.with_suffix(".json")
            of_source = report("kernels/gemm_tiled_conflict.cu")
            beside.write_text(json.dumps(of_source))
            made = report(path)
            self.assertEqual([(launch["grid"], launch["block"], launch["origin"]["kind"]) for launch in made["launches"]], [([32, 32, 1], [32, 32, 1], "config")] * 2)
            total = {name: sum(site["wavefronts"] for launch in one["launches"] for site in launch["sites"]) for name, one in (("source", of_source), ("machine code", made))}
            self.assertEqual(total["source"], total["machine code"])
            self.assertTrue(all(site["verdict"] == "exact" for launch in made["launches"] for site in launch["sites"]))
            beside.write_text('{"launches": [{"kernel": "*rolled", "block": [16, 16], "arguments": [{"index": 5, "value": 64}]}]}')
            launch = {launch["kernel"]: launch for launch in report(path)["launches"]}["gemm_tiled_conflict_rolled"]
            self.assertEqual((launch["block"], [argument["value"] for argument in launch["arguments"] if argument["index"] == 5]), ([16, 16, 1], [64]))
            # A pointer that does not begin its allocation: the first row of 32 floats is in five sectors.
            one = '{"launches": [{"kernel": "gemm_tiled_conflict", "grid": [1], "block": [32, 32], "arguments": [{"index": 3, "value": 32}, {"index": 4, "value": 32}, {"index": 5, "value": 32}, {"index": 2, "value": %d}]}]}'
            sectors = []
            for offset in (0, 4):
                beside.write_text(one % offset)
                launch = {launch["kernel"]: launch for launch in report(path)["launches"]}["gemm_tiled_conflict"]
                sectors.append({site["line"]: site["sectors"] for site in launch["sites"] if site["operation"] == "store" and site["space"] == "global"}[62])
            self.assertEqual(sectors, [128, 160])
            for text, message in (('{"launches": [{"block": [1]}]}', 'names no "kernel"'), ('{"launches": [{"kernel": "k", "block": [0]}]}', "no list of one to three extents"), ("{", "damaged")):
                beside.write_text(text)
                self.assertIn(message, lint(path).stderr)
            # What a report has assumed is no fact in the next run.
            beside.write_text('{"something": "else"}')
            beside.write_text(lint("--format=json", path).stdout)
            self.assertEqual({launch["origin"]["kind"] for launch in report(path)["launches"]}, {"assumed"})
            beside.write_text('{"something": "else"}')
            self.assertEqual(lint(path).returncode, 1)

    def test_every_format(self):
        for form in ("text", "oneline", "json", "sarif", "github", "gitlab", "markdown", "html"):
            done = lint(f"--format={form}", listing("gemm_tiled_conflict"))
            self.assertEqual(done.returncode, 1, form + done.stderr)
            self.assertIn("gemm_tiled_conflict", done.stdout)

    def test_a_baseline(self):
        with tempfile.TemporaryDirectory() as folder:
            baseline = f"--baseline={folder}/b.json"
            lint(baseline, "--update-baseline", listing("gemm_tiled_conflict"))
            again = lint(baseline, listing("gemm_tiled_conflict"))
            self.assertEqual(again.returncode, 0, again.stdout)
            self.assertIn("baseline: 0 new, 0 worse", again.stdout)

    def test_kernels_are_chosen(self):
        kernels = {launch["kernel"] for launch in report("--kernel=*rolled", listing("gemm_tiled_conflict"))["launches"]}
        self.assertEqual(kernels, {"gemm_tiled_conflict_rolled"})
        self.assertEqual(lint("--kernel=nothing", listing("gemm_tiled_conflict")).returncode, 2)

    def test_bounds_of_a_block(self):
        # __launch_bounds__(256): no block has more.
        launch = report(listing("reduction_shuffle"))["launches"][0]
        self.assertLessEqual(launch["block"][0] * launch["block"][1], 256)

    def test_a_block_that_ptx_requires(self):
        with tempfile.TemporaryDirectory() as folder:
            text = listing("reduction_shuffle").read_text().replace("EIATTR_MAX_THREADS", "EIATTR_REQNTID").replace(".word\t0x00000100\n", ".word\t0x00000060\n", 1)
            path = pathlib.Path(folder, "k.sass")
            path.write_text(text)
            launch = report(path)["launches"][0]
            self.assertEqual(launch["block"], [96, 1, 1])
            self.assertEqual(launch["origin"]["kind"], "launch_bounds")

    def test_other_architectures(self):
        for architecture in ("sm_80", "sm_100"):
            made = report(listing(f"gemm_tiled_conflict.{architecture}"))
            self.assertEqual(made["arch"], architecture)
            self.assertIn("shared", {site["space"] for site in made["launches"][0]["sites"]})
        done = lint("--arch=sm_80", listing("gemm_tiled_conflict"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("it is machine code of sm_90, and --arch asks for sm_80", done.stderr)

    def test_cubins_before_cuda_13_name_their_architecture_otherwise(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            path.write_text(listing("grid_stride").read_text().replace("\t.target\tsm_90\n", '\t.headerflags\t@"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"\n'))
            self.assertEqual(report(path)["arch"], "sm_90")

    def test_without_lines_accesses_are_named_by_their_instructions(self):
        with tempfile.TemporaryDirectory() as folder:
            path = without_lines("gemm_tiled_conflict", folder)
            sites = [site for launch in report(path)["launches"] for site in launch["sites"]]
            self.assertTrue(sites)
            for site in sites:
                self.assertIsNone(site["line"])
                self.assertEqual(len(site["pcs"]), 1)
                self.assertRegex(site["expression"], rf"^0x{site['pcs'][0]:04x} (LDS|STS|LDG|STG)")
            done = lint(path)
            self.assertEqual(done.returncode, 1)
            self.assertIn("it has no line information", done.stderr)
            self.assertIn(f"{path}: warning: 32-way bank conflict: load of 0x", done.stdout)

    def test_generic_addresses_are_of_global_memory_where_no_others_can_be_made(self):
        launch = "--launch=block=(256) grid=(32) arg0=100000"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            text = listing("grid_stride").read_text()
            path.write_text(text)
            counts = [(site["sectors"], site["verdict"]) for site in report(launch, path)["launches"][0]["sites"]]
            generic = re.sub(r"\b(LD|ST)G\.E", r"\1.E", text)
            path.write_text(generic)
            self.assertEqual([(site["sectors"], site["verdict"]) for site in report(launch, path)["launches"][0]["sites"]], counts)
            self.assertNotIn("unknown", str(counts))
            # Once the kernel knows where the window of shared memory is, they may lead there.
            window = re.sub(r"S2R (R\d+), SR_TID\.X", r"IADD3 \1, RZ, c[0x0][0x18], RZ", generic, count=1)
            self.assertNotEqual(window, generic)
            path.write_text(window)
            self.assertEqual({site["verdict"] for site in report(launch, path)["launches"][0]["sites"]}, {"unknown"})

    def test_a_line_table_has_no_other_files_read(self):
        with tempfile.TemporaryDirectory() as folder:
            secret = pathlib.Path(folder, "secret.txt")
            secret.write_text("the secret\n" * 100)
            text = re.sub(r'//## File "[^"]*"', f'//## File "{secret}"', listing("gemm_tiled_conflict").read_text())
            path = pathlib.Path(folder, "k.sass")
            path.write_text(text)
            for form in ("text", "json", "html"):
                self.assertNotIn("the secret", lint(f"--format={form}", "--table" if form == "text" else "--quiet", path).stdout)

    def test_names_are_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            path.write_text(listing("grid_stride").read_text().replace("grid_stride", "\x1b[31m::error::x"))
            done = lint("--table", path)
            self.assertNotIn("\x1b[31m", done.stdout + done.stderr)

    def test_what_is_no_listing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.sass")
            for text, message in (("", "not a listing of nvdisasm"), ("hello\n", "not a listing of nvdisasm"), (listing("grid_stride").read_text()[:-900], "breaks off"),
                                  (listing("grid_stride").read_text().replace("STO_CUDA_ENTRY", "STO_CUDA_FUNC"), "it has no kernels"), ("a\0b", "it is no listing")):
                path.write_text(text)
                done = lint(path)
                self.assertEqual(done.returncode, 2, text[:40])
                self.assertIn(message, done.stderr)
            # What else was named is analysed all the same.
            done = lint(path, listing("gemm_tiled_conflict"))
            self.assertEqual(done.returncode, 2)
            self.assertIn("32-way bank conflict", done.stdout)

    def test_fixes_are_of_sources(self):
        for option in ("--suggest-fixes", "--fix", "--diff"):
            self.assertIn("it is machine code: repairs are made in sources", lint(option, listing("gemm_tiled_conflict")).stderr)


def without_lines(name, folder):
    text = re.sub(r"^\s*//## File.*\n", "", listing(name).read_text(), flags=re.MULTILINE)
    path = pathlib.Path(folder, f"{name}.sass")
    path.write_text(text)
    return path


class Toolkit(unittest.TestCase):
    """nvdisasm, cuobjdump and ptxas that only pretend."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "bin").mkdir()
        self.env = dict(os.environ, CUDA_PATH=str(self.root), CUDA_HOME=str(self.root), ROOT=str(self.root), HOME=str(self.root), PATH="/usr/bin:/bin")
        self.tool("nvdisasm", f'cat "{listing("gemm_tiled_conflict")}"')

    def tool(self, name, body):
        path = self.root / "bin" / name
        path.write_text('#!/bin/sh\n[ "$1" = --version ] && { echo "Cuda compilation tools, release 13.0, V13.0.77"; exit; }\n' + body + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def file(self, name, content):
        path = self.root / name
        path.write_bytes(content)
        return path

    def refused(self, message, *arguments):
        done = lint(*arguments, env=self.env)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(message, done.stderr)

    def no_tools(self):
        for path in (self.root / "bin").iterdir():
            path.unlink()
        return not any(pathlib.Path(folder, name).exists() for folder in ("/usr/local/cuda/bin", "/usr/bin", "/usr/local/bin") for name in ("nvdisasm", "cuobjdump"))


GEMM = ["_Z19gemm_tiled_conflictPKfS0_Pfiii", "_Z26gemm_tiled_conflict_rolledPKfS0_Pfiii"]


class Cubins(Toolkit):
    def test_a_cubin(self):
        made = report(self.file("k.cubin", elf(GEMM)), env=self.env)
        self.assertEqual(made["files"][0]["machine_code"], f"{self.root}/k.cubin, nvdisasm 13.0.77")
        self.assertEqual(len(made["launches"]), 2)
        self.assertEqual(made["arch"], "sm_90")

    def test_by_its_first_bytes(self):
        self.assertEqual(len(report(self.file("kernel.bin", elf(GEMM)), env=self.env)["launches"]), 2)

    def test_a_cubin_without_the_kernels_that_are_wanted_is_not_disassembled(self):
        self.tool("nvdisasm", 'touch "$ROOT/called"; exit 1')
        self.refused("no kernel matches 'other'", "--kernel=other", self.file("k.cubin", elf(GEMM)))
        self.assertFalse((self.root / "called").exists())

    def test_older_cubins_have_the_architecture_elsewhere(self):
        self.refused("it is machine code of sm_61, which is not modelled", self.file("k.cubin", elf(GEMM, abi=7, flags=0x3D053D)))

    def test_bad_files(self):
        whole = elf(GEMM)
        for content, message in ((b"", "it is no ELF file"), (b"hello", "it is no ELF file"), (whole[:40], "damaged ELF file"), (whole[:-100], "damaged ELF file"),
                                 (elf(GEMM, machine=ARM), "no section .nv_fatbin"), (whole[:4] + b"\1" + whole[5:], "32 bits")):
            self.refused(message, self.file("k.cubin", content))
        self.refused("it has no kernels", self.file("k.cubin", elf()))
        self.refused("No such file", self.root / "missing.cubin")
        (self.root / "folder.cubin").mkdir()

    def test_every_cut_and_many_changes_end_with_a_message(self):
        whole = elf(GEMM[:1])
        self.tool("nvdisasm", "exit 1")
        files = [self.file(f"{at}.cubin", whole[:at]) for at in range(0, len(whole), 37)]
        files += [self.file(f"c{at}.cubin", whole[:at] + b"\xff" * 8 + whole[at + 8:]) for at in range(4, len(whole), 23)]
        done = lint("-j2", *files, env=self.env)
        self.assertEqual(done.returncode, 2)
        for line in done.stderr.splitlines():
            self.assertNotIn("SIG", line)

    def test_tools_that_are_missing_or_fail(self):
        self.tool("nvdisasm", 'echo "nvdisasm fatal : Object file appears truncated" >&2; exit 1')
        cubin = self.file("k.cubin", elf(GEMM))
        self.refused("nvdisasm 13.0.77 cannot read", cubin)
        if self.no_tools():
            self.refused("no nvdisasm found", cubin)

    def test_ten_thousand_kernels(self):
        names = [f"_Z6kernelILi{i}EEvPf" for i in range(10000)]
        done = lint("--kernel=nothing*", self.file("k.cubin", elf(names)), env=self.env)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing*", done.stderr)


class Containers(Toolkit):
    def setUp(self):
        super().setUp()
        (self.root / "cubins").mkdir()
        self.cubin("a.sm_90.cubin")
        self.library = self.file("libk.so", elf(machine=X86, sections=[".nv_fatbin"]))
        self.tool("cuobjdump", 'case "$1" in -xelf) for f in "$ROOT"/cubins/*$2*; do cp "$f" .; echo "Extracting ELF file    1: x"; done;; '
                  '-lelf) for f in "$ROOT"/cubins/*; do echo "ELF file    1: $(basename $f)"; done;; -lptx) cat "$ROOT/ptx" 2>/dev/null;; esac; true')

    def cubin(self, name, kernels=GEMM, flags=0x5A04):
        (self.root / "cubins" / name).write_bytes(elf(kernels, flags=flags))

    def test_a_library_an_archive_and_a_fatbin(self):
        for name, content in (("libk.so", None), ("libk.a", b"!<arch>\nx"), ("k.fatbin", b"\x50\xed\x55\xba\x01\x00"), ("app", elf(machine=X86, sections=[".nv_fatbin"]))):
            path = self.file(name, content) if content else self.library
            self.assertEqual(len(report(path, env=self.env)["launches"]), 2, name)

    def test_cubins_of_one_name_are_taken_one_by_one(self):
        # A program has a fatbin of each object file and one of the linker's, whose cubins cuobjdump writes to one file.
        fatbin = struct.pack("<IHHQ", 0xBA55ED50, 1, 16, 8) + bytes(8)
        library = self.file("app", elf(machine=X86, sections=[".nv_fatbin"], contents={".nv_fatbin": fatbin * 3}))
        (self.root / "cubins" / "a.sm_90.cubin").unlink()
        for part, kernels in (("1", GEMM[:1]), ("2", GEMM[1:]), ("3", [])):
            (self.root / part).write_bytes(elf(kernels))
        self.tool("cuobjdump", 'case "$1" in -lelf) echo "ELF file    1: a.sm_90.cubin";; -xelf) case "$3" in *fatbin*) n=$(cat "$ROOT/n" 2>/dev/null || echo 0); n=$((n+1)); echo $n > "$ROOT/n"; cp "$ROOT/$n" a.sm_90.cubin; '
                  'echo "Extracting ELF file    1: a";; *) cp "$ROOT/3" a.sm_90.cubin; for i in 1 2 3; do echo "Extracting ELF file    $i: a.sm_90.cubin"; done;; esac;; esac')
        self.assertEqual({launch["kernel"] for launch in report(library, env=self.env)["launches"]}, {"gemm_tiled_conflict", "gemm_tiled_conflict_rolled"})

    def test_of_several_architectures_one_is_chosen_and_named(self):
        self.cubin("a.sm_80.cubin", flags=0x5004)
        done = lint("--fail-on=never", self.library, env=self.env)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("it has machine code of sm_80, sm_90; analysed as sm_90", done.stderr)

    def test_what_it_has_not(self):
        self.refused("none of sm_80", "--arch=sm_80", self.library)
        (self.root / "cubins" / "a.sm_90.cubin").rename(self.root / "cubins" / "a.sm_61.cubin")
        self.refused("it has machine code of sm_61, of which none is modelled", self.library)
        (self.root / "cubins" / "a.sm_61.cubin").unlink()
        self.tool("cuobjdump", 'case "$1" in -lptx) cat "$ROOT/ptx" 2>/dev/null;; *) echo "cuobjdump info    : File has no device code" >&2;; esac; true')
        self.refused("has no machine code of a GPU (cuobjdump info", self.library)
        (self.root / "ptx").write_text("PTX file    1: a.sm_90.ptx\n")
        self.refused("has PTX only (of sm_90)", self.library)
        self.refused("without machine code of a GPU", self.file("plain.so", elf(machine=X86)))
        self.refused("ELF file of AArch64 without machine code of a GPU", self.file("arm.so", elf(machine=ARM)))
        if self.no_tools():
            self.refused("no cuobjdump found", self.library)

    def test_nothing_that_a_file_names_is_run(self):
        self.cubin("a.sm_90.cubin", ["$(touch pwned)", "`touch pwned`"])
        lint(self.library, env=self.env, cwd=self.root)
        self.assertFalse((self.root / "pwned").exists())


class Ptx(Toolkit):
    PTX = b"// a comment\n.version 8.5\n.target sm_90a, debug\n.address_size 64\n.visible .entry k() { ret; }\n"

    def setUp(self):
        super().setUp()
        (self.root / "made").write_bytes(elf(GEMM))
        self.tool("ptxas", 'echo "$@" > "$ROOT/called"; while [ "$1" != -o ]; do shift; done; cp "$ROOT/made" "$2"')

    def test_it_is_compiled_with_its_lines(self):
        path = self.file("-k.ptx", self.PTX)
        made = report(path, env=self.env)
        self.assertEqual(made["files"][0]["machine_code"], f"{path}, ptxas 13.0.77, nvdisasm 13.0.77")
        called = (self.root / "called").read_text().split()
        self.assertEqual(called[:2], ["-arch=sm_90a", "-lineinfo"])
        self.assertEqual(called[-1], str(path))

    def test_another_architecture(self):
        (self.root / "made").write_bytes(elf(GEMM, flags=0x6404))
        self.tool("nvdisasm", f'cat "{listing("gemm_tiled_conflict.sm_100")}"')
        self.assertEqual(report("--arch=sm_100", self.file("k.ptx", self.PTX), env=self.env)["arch"], "sm_100")
        self.assertIn("-arch=sm_100", (self.root / "called").read_text())

    def test_bad_ptx(self):
        self.refused("it names no .target", self.file("k.ptx", b"int main() {}\n"))
        self.refused("its .target is sm_30, which is not modelled", self.file("k.ptx", b".version 4.0\n.target sm_30\n"))
        self.tool("ptxas", 'echo "ptxas k.ptx, line 1; fatal   : Unsupported .version 9.9; current version is \'9.0\'" >&2; exit 255')
        self.refused("ptxas 13.0.77 does not compile it for sm_90a: ptxas k.ptx, line 1; fatal   : Unsupported .version 9.9", self.file("k.ptx", self.PTX))
        if not pathlib.Path("/usr/local/cuda/bin/ptxas").exists():
            (self.root / "bin" / "ptxas").unlink()
            self.refused("no ptxas found", self.file("k.ptx", self.PTX))


class Triton(Toolkit):
    """A cache as Triton leaves it, with a kernel of ours in place of one of its own."""

    def setUp(self):
        super().setUp()
        self.cache = self.root / "cache"
        for age, (folder, warps) in enumerate((("AAAA", 8), ("BBBB", 4))):
            place = self.cache / folder
            place.mkdir(parents=True)
            name = GEMM[0]
            (place / f"{name}.cubin").write_bytes(elf(GEMM[:1]))
            os.utime(place / f"{name}.cubin", (10 ** 9 + age, 10 ** 9 + age))
            (place / f"{name}.json").write_text(json.dumps({"name": name, "num_warps": warps, "num_stages": 3, "shared": 8192, "num_ctas": 1, "hash": folder.lower() * 4, "target": {"backend": "cuda", "arch": 90}}))
            (place / f"__grp__{name}.json").write_text("{}")
            (place / f"{name}.ttir").write_text(f'module {{\n  tt.func public @{name}(%a_ptr: !tt.ptr<f32> {{tt.divisibility = 16 : i32}} loc("x,y.py":1:2), %b_ptr: !tt.ptr<f32>, %c_ptr: !tt.ptr<f32>, '
                                                "%M: i32 {tt.divisibility = 16 : i32}, %N: i32, %K: i32 {tt.divisibility = 16 : i32}) attributes {} {\n")

    def test_launches_come_from_the_metadata(self):
        made = report("--kernel=gemm_tiled_conflict", f"--triton={self.cache}", env=self.env)
        self.assertEqual([launch["block"] for launch in made["launches"]], [[128, 1, 1], [256, 1, 1]])  # the newest first
        self.assertEqual([launch["kernel"] for launch in made["launches"]], ["gemm_tiled_conflict<num_warps=4, num_stages=3, bbbbbbbb>", "gemm_tiled_conflict<num_warps=8, num_stages=3, aaaaaaaa>"])
        self.assertEqual(made["launches"][0]["dynamic_shared_bytes"], 8192)
        self.assertEqual([argument["name"] for argument in made["launches"][0]["arguments"]], ["a_ptr", "b_ptr", "c_ptr", "M", "N", "K"])

    def test_hints_become_facts(self):
        symbols = {symbol["name"]: symbol["facts"] for launch in report(f"--triton={self.cache}", env=self.env)["launches"] for symbol in launch["symbols"]}
        self.assertIn("K % 16 == 0", symbols["K"])
        self.assertNotIn("%", symbols["N"] or "")

    def test_the_folder_is_found(self):
        for environment in ({"TRITON_CACHE_DIR": str(self.cache)}, {"TRITON_HOME": str(self.root / "home")}):
            if "TRITON_HOME" in environment:
                (self.root / "home" / ".triton").mkdir(parents=True)
                self.cache.rename(self.root / "home" / ".triton" / "cache")
            done = lint("--triton", "--fail-on=never", "--format=json", env={**self.env, **environment})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreaterEqual(len(json.loads(done.stdout)["launches"]), 2)

    def test_what_is_missing(self):
        (self.cache / "AAAA" / f"{GEMM[0]}.json").unlink()
        self.refused("no metadata of Triton beside it", f"--triton={self.cache}")
        (self.cache / "BBBB" / f"{GEMM[0]}.json").write_text("{")
        self.refused("no metadata of Triton beside it", f"--triton={self.cache}")
        self.assertIn("this metadata is damaged", lint(f"--triton={self.cache}", env=self.env).stderr)
        (self.root / "empty").mkdir()
        self.refused("no kernel of Triton's here", f"--triton={self.root / 'empty'}")
        self.refused("cannot read this cache of Triton's", f"--triton={self.root / 'nowhere'}")

    def test_metadata_out_of_bounds_is_no_launch(self):
        for change in ({"num_warps": 10 ** 12}, {"num_warps": -1}, {"num_warps": "4"}, {"shared": -5}, {"name": 7}):
            path = self.cache / "AAAA" / f"{GEMM[0]}.json"
            path.write_text(json.dumps({"name": GEMM[0], "num_warps": 8, "shared": 8192, **change}))
            done = lint("--fail-on=never", self.cache / "AAAA" / f"{GEMM[0]}.cubin", env=self.env)
            self.assertEqual(done.returncode, 0, done.stderr)


class Recorded(unittest.TestCase):
    """From machine code alone, with the launches of the host code, against the counters of a GPU: by line, and by instruction."""

    def test_all(self):
        sys.path.insert(0, str(HERE))
        import alone_accuracy  # pylint: disable=import-outside-toplevel
        validate = os.environ["SMEM_VALIDATE"]
        names = ["bitonic_sort", "dynamic_pool", "gemm_tiled_branches", "half_warp", "local_array_index", "transpose_templated", "warp_tile_ldmatrix"]
        rows = exact = 0
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                launches = alone_accuracy.launches_of(LINT, name)
                # A recording has instructions of one line summed: where each line has one, they can be told by their addresses.
                for by_pc in (False, True) if name == "bitonic_sort" else (False,):
                    predicted = pathlib.Path(folder, f"{name}.json")
                    predicted.write_text(json.dumps(report(*launches, without_lines(name, folder) if by_pc else listing(name))))
                    done = subprocess.run([validate, "compare", predicted, f"validate/recorded/catalogue/{name}.jsonl", "--format=json", "--quiet"], cwd=ROOT, capture_output=True, text=True, check=False)
                    summary = json.loads(done.stdout)["summary"]
                    with self.subTest(name, by_pc=by_pc):
                        self.assertGreater(summary["rows"], 0)
                        self.assertEqual((summary["mismatch"], summary["false_claims"]), (0, 0))
                    rows += summary["rows"]
                    exact += summary["exact"]
        self.assertGreater(exact, 0.95 * rows)


if __name__ == "__main__":
    LINT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
