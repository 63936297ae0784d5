#!/usr/bin/env python3
"""A mutation fuzzer for the front door: kernels of the catalogue with a few tokens deleted, repeated, swapped or replaced.

    mutate_kernels.py --tool smem-lint --count 60               what the test suite does
    mutate_kernels.py --tool smem-lint --count 100000 --seed 7  for a night; --keep FOLDER keeps what fails

Whatever a mutant says, smem-lint has to end with exit code 0, 1 or 2, with output that is UTF-8 and JSON of the published schema,
and without an `internal error`. The same seed makes the same mutants.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "catalogue"))
import smem_lint  # noqa: E402

KERNELS = smem_lint.ROOT / "kernels"
TOKEN = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|/\*.*?\*/|\w+|<<<|>>>|[-+*/%&|^<>=!]=|<<|>>|&&|\|\||\+\+|--|::|\s+|.", re.S)

# What is worth putting where it does not belong.
DICTIONARY = ("0", "1", "-1", "31", "32", "33", "1024", "1025", "0x7fffffff", "0x80000000u", "4294967295u", "1ll << 40", "threadIdx.x", "threadIdx.y",
              "blockIdx.x", "blockDim.x", "gridDim.x", "__shared__", "__syncthreads();", "__syncwarp();", "volatile", "return;", "while (true)",
              "if (threadIdx.x & 1)", "for (;;)", "break;", "float4", "double", "unsigned char", "short", "* 2", "/ 0", "% 33", "^ threadIdx.x",
              "<< 33", "-", "~", "!", "&", "*", "(", ")", "[", "]", "{", "}", ";", ",", "<<<1, 32>>>", "<<<", ">>>", "nullptr", "this", "template <int N>",
              "__launch_bounds__(64)", "#pragma unroll\n", "#pragma unroll 3\n", "goto out;", "out:", "asm volatile(\"bar.sync 0;\");",
              "__shfl_xor_sync(~0u, 1, 16)", "__ldg(", "reinterpret_cast<float4 *>(", "// smem-lint: launch block=(33) grid=(3)\n", "\0", "\xff", "\\\n")


def tokens_of(text):
    return TOKEN.findall(text)


def device_part(tokens):
    """The span from the first kernel to main, where most of the mutations go."""
    first = tokens.index("__global__") if "__global__" in tokens else 0
    last = tokens.index("main", first) if "main" in tokens[first:] else len(tokens)
    return first, max(first + 1, last)


def mutate(text, rng):
    tokens = tokens_of(text)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        first, last = device_part(tokens) if rng.random() < 0.85 else (0, len(tokens))
        solid = [i for i in range(first, min(last, len(tokens))) if not tokens[i].isspace()]
        if not solid:
            continue
        at = rng.choice(solid)
        kind = rng.randrange(9)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            del tokens[at:at + rng.randrange(2, 12)]
        elif kind == 2:
            tokens.insert(at, tokens[at])
        elif kind == 3:
            span = tokens[at:at + rng.randrange(2, 30)]
            tokens[at:at] = span
        elif kind == 4:
            tokens[at] = rng.choice(DICTIONARY)
        elif kind == 5:
            tokens.insert(at, " " + rng.choice(DICTIONARY) + " ")
        elif kind == 6:
            other = rng.choice(solid)
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 7:   # a number: the mutation that most often still compiles
            numbers = [i for i in solid if tokens[i].isdigit()]
            if numbers:
                tokens[rng.choice(numbers)] = rng.choice(("0", "1", "2", "3", "7", "16", "31", "33", "64", "255", "1000", "65536", "2147483647"))
        else:
            names = [i for i in solid if tokens[i].isidentifier()]
            if names:
                tokens[rng.choice(names)] = tokens[rng.choice(names)]
    return "".join(tokens)


def judge(tool, path, options):
    """(whether the file compiled, what is wrong with how smem-lint took it or None)."""
    try:
        done = smem_lint.run(tool, "--cuda-path=none", "--format=json", *options, path)
    except subprocess.TimeoutExpired:
        return False, f"does not end within {smem_lint.SAFETY_SECONDS} s"
    if done.returncode not in (0, 1, 2):
        return False, f"exit code {done.returncode}: {smem_lint.text(done.stderr)}"
    if b"internal error" in done.stderr:
        return False, smem_lint.text(done.stderr)
    try:
        report = json.loads(done.stdout.decode("utf-8"))
    except ValueError as error:
        return False, f"exit code {done.returncode}, output is not JSON in UTF-8: {error}"
    compiled = all(file["parsed"] for file in report["files"])
    if errors := smem_lint.schema_errors(report):
        return compiled, "schema: " + "; ".join(errors)
    if done.returncode != smem_lint.exit_code_for(report):
        return compiled, f"exit code {done.returncode}, but the findings and messages ask for {smem_lint.exit_code_for(report)}"
    return compiled, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True, help="smem-lint")
    parser.add_argument("--count", type=int, default=60, help="mutants (default 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--max-steps", type=int, default=1_000_000, help="budget of each launch (default a million)")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the mutants that fail (default: a temporary one that stays)")
    options = parser.parse_args()

    # Mutants include headers of the catalogue, so they need its folder on the include path.
    flags = [f"--max-steps={options.max_steps}", f"--extra-arg=-I{KERNELS}"]
    kernels = sorted(KERNELS.glob("*.cu"))
    texts = {kernel: kernel.read_text(encoding="utf-8") for kernel in kernels}

    def one(number, folder):
        rng = random.Random(f"{options.seed}/{number}")
        kernel = kernels[rng.randrange(len(kernels))]
        mutant = mutate(texts[kernel], rng)
        path = pathlib.Path(folder, f"{kernel.stem}.{options.seed}.{number}.cu")
        path.write_text(mutant, encoding="latin-1", errors="replace")
        compiled, wrong = judge(options.tool, path, flags)
        if wrong is None:
            path.unlink()
            return compiled, None
        keep = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="smem-lint-mutant-"))
        keep.mkdir(parents=True, exist_ok=True)
        kept = keep / path.name
        kept.write_bytes(path.read_bytes())
        return compiled, f"{kept}: {wrong}"

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        verdicts = list(pool.map(lambda number: one(number, folder), range(options.count)))
    complaints = [wrong for _, wrong in verdicts if wrong]
    compiled = sum(compiled for compiled, _ in verdicts)
    print(f"{options.count} mutants of seed {options.seed}, {compiled} compiled, {len(complaints)} failures")
    if options.count >= 30 and compiled * 10 < options.count:
        complaints.append("hardly any mutant compiles, so hardly anything but the parser was tested")
    return smem_lint.fail(complaints)


if __name__ == "__main__":
    sys.exit(main())
