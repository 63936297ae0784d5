#!/usr/bin/env python3
"""A mutation fuzzer for what people and programs write beside the kernels: configurations, baselines, diffs, comments, parts of a run.

    mutate_inputs.py --tool smem-lint --count 150

Whatever a mutant says, smem-lint has to end with exit code 0, 1 or 2, has to give a reason for 2, and must leave its inputs alone. The same seed
makes the same mutants.
"""
import argparse
import collections
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "catalogue"))
import smem_lint  # noqa: E402

KERNEL = """\
// smem-lint: launch block=(32,32) grid=1
__global__ void k(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = 1; // NOLINT(gmem-uncoalesced): why
  __syncthreads(); /* NOLINTBEGIN(smem-*) */
  out[threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // smem-lint: expect degree<=32, sectors/request<=4
  // NOLINTEND(smem-*)
}
"""
COMMENTS = "smem-lint: expect degree<=32, sectors/request<=4 // NOLINT(smem-bank-conflict): why"
CONFIGURATION = """\
InheritParentConfig: true
Checks: '-*,smem-*'
WarningsAsErrors: [smem-bank-conflict, 'gmem-*']
FailOn: error
Launches:
  - 'transpose*:block=(32,8) grid=(4,4) n=128'
Thresholds: {NoteBelowShare: 0.05}
Budgets:
  - Kernel: k
    Degree: 2
Baseline: >
  x
"""
DIFF = "--- a/k.cu\n+++ b/k.cu\n@@ -1,3 +1,4 @@\n a\n-b\n+c\n+d\n e\n"
TOKENS = ("'", '"', "[", "]", "{", "}", ":", "- ", "\n", "\t", "&a", "*a", "|", "> ", "---", "...", "#", "!!int", "%YAML", "\0", "\xff", "?", "@", "+", "-", "0",
          "9999999999999999999", "NOLINT", "smem-lint:", "expect ", "(", ")", ",", "<=", "//", "*/")


def mutate(text, rng):
    characters = list(text)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        at = rng.randrange(len(characters) + 1)
        kind = rng.randrange(3)
        if kind == 0:
            characters[at:at + rng.randrange(1, 5)] = []
        else:
            characters[at:at + kind - 1] = rng.choice(TOKENS)
    return "".join(characters).encode("latin-1")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True, help="smem-lint")
    parser.add_argument("--count", type=int, default=150, help="mutants of each kind (default 150)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.tool = os.path.abspath(options.tool)
    rng = random.Random(options.seed)
    complaints, codes = [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def lint(*arguments, **more):
            return smem_lint.run(options.tool, *arguments, cwd=folder, seconds=60, **more)

        (folder / "host.cu").write_text("int x;\n", encoding="utf-8")
        (folder / "k.cu").write_text(KERNEL, encoding="utf-8")
        lint("--cuda-path=none", "--no-cache", "--checks=-unused-nolint", "--baseline=good.json", "--update-baseline", "k.cu")
        lint("--cuda-path=none", "--shard=1/1", "-o", "good.part", "k.cu")
        baseline = (folder / "good.json").read_text(encoding="utf-8")
        part = (folder / "good.part").read_bytes().decode("latin-1")
        # name of the mutant, the text that it is made of, the command, whether the text goes to standard input
        kinds = (("configuration", CONFIGURATION, ("--verify-config", "--config-file=mutant"), False),
                 ("baseline", baseline, ("--cuda-path=none", "--baseline=mutant", "host.cu"), False),
                 ("line filter", DIFF, ("--cuda-path=none", "--line-filter=-", "host.cu"), True),
                 ("comments", COMMENTS, ("--cuda-path=none", "--stdin-filename=k.cu", "-"), True),
                 ("part", part, ("merge", "mutant"), False))
        for kind, text, command, by_input in kinds:
            for number in range(options.count):
                mutant = mutate(text, rng)
                if kind == "comments":  # what is not a comment is fuzz.mutated_kernels' business
                    mutant = KERNEL.replace("__syncthreads();", "__syncthreads(); // %s").encode() % mutant.replace(b"\n", b" ").replace(b"\\", b"")
                (folder / "mutant").write_bytes(mutant)
                try:
                    done = lint(*command, **({"stdin": mutant} if by_input else {}))
                except subprocess.TimeoutExpired:
                    complaints.append(f"{kind} {number}: does not end: {mutant!r}")
                    continue
                codes[kind, done.returncode] += 1
                if done.returncode not in (0, 1, 2) or b"internal error" in done.stderr or (done.returncode == 2 and not done.stderr):
                    complaints.append(f"{kind} {number}: exit code {done.returncode}, {smem_lint.text(done.stderr)!r}: {mutant!r}")
                if (folder / "mutant").read_bytes() != mutant:
                    complaints.append(f"{kind} {number}: the file was changed: {mutant!r}")
    print(f"{options.count} mutants of each kind, seed {options.seed}: " + ", ".join(f"{kind} {code}: {n}" for (kind, code), n in sorted(codes.items())))
    return smem_lint.fail(complaints)


if __name__ == "__main__":
    sys.exit(main())
