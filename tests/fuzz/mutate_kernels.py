#!/usr/bin/env python3
"""A mutation fuzzer for the front door: kernels of the catalogue with a few tokens deleted, repeated, swapped or replaced.

    mutate_kernels.py --tool smem-lint --count 60               a minute; the test suite does 20
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


def rough(tokens, rng, at):
    """Mutations of tokens that ask nothing: hardly any result compiles."""
    kind = rng.randrange(6)
    if kind == 0:
        del tokens[at]
    elif kind == 1:
        del tokens[at:at + rng.randrange(2, 12)]
    elif kind == 2:
        tokens[at:at] = [tokens[at], " "]
    elif kind == 3:
        tokens[at:at] = tokens[at:at + rng.randrange(2, 30)] + [" "]
    elif kind == 4:
        tokens[at:at + rng.randrange(2)] = [" ", rng.choice(DICTIONARY), " "]
    else:
        other = rng.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]


# Words that can stand for one another without the compiler minding, most of the time.
FAMILIES = (("threadIdx", "blockIdx", "blockDim", "gridDim"), ("x", "y", "z"), ("+", "-", "*", "/", "%", "&", "|", "^"), ("<", ">", "<=", ">=", "==", "!="),
            ("<<", ">>"), ("&&", "||"), ("++", "--"), ("+=", "-=", "*="), ("float", "double", "int", "unsigned", "short", "char", "long"),
            ("__syncthreads", "__syncwarp"), ("if", "while"), ("break", "continue", "return"))
NUMBERS = ("0", "1", "2", "3", "4", "7", "8", "15", "16", "31", "32", "33", "64", "255", "1000", "1024", "65536", "2147483647")
STATEMENTS = ("__syncthreads();", "if (threadIdx.x & 1) return;", "if (blockIdx.x == 3) __trap();", "for (;;) {}", "if (threadIdx.x == 0) for (int q = 0; q < 5; ++q)",
              "while (clock() & 1) {}", "{ __shared__ volatile int extra[33]; extra[threadIdx.x % 33] = 1; }",
              "asm volatile(\"bar.sync 0;\");", "for (unsigned q = threadIdx.x; q; q >>= 1)", "do {} while (threadIdx.x > 4096);", "if (threadIdx.y % 3 == 1)")


def gentle(tokens, rng, span):
    """Mutations that mostly still compile, and so reach lowering and simulation."""
    kind = rng.randrange(8)
    numbers = [i for i in span if tokens[i].isdigit()]
    if kind <= 2 and numbers:
        tokens[rng.choice(numbers)] = rng.choice(NUMBERS)
    elif kind <= 5:
        words = [(i, family) for i in span for family in FAMILIES if tokens[i] in family]
        if words:
            at, family = rng.choice(words)
            tokens[at] = rng.choice(family)
    else:
        ends = [i for i in span if tokens[i] == ";"]
        if len(ends) < 2:
            return
        at = rng.randrange(len(ends) - 1)
        statement = tokens[ends[at] + 1:ends[at + 1] + 1]
        whole = not any(token in "(){}" and statement.count("(") != statement.count(")") for token in statement) and "{" not in statement and "}" not in statement
        if kind == 6 or not whole:
            tokens.insert(ends[at] + 1, " " + rng.choice(STATEMENTS) + " ")
        elif any(token.isidentifier() and token in ("int", "float", "const", "unsigned") for token in statement):
            return  # a declaration: neither to be lost nor to be had twice
        elif rng.random() < 0.5:
            tokens[ends[at] + 1:ends[at + 1] + 1] = []
        else:
            tokens[ends[at] + 1:ends[at] + 1] = statement


def mutate(text, rng):
    tokens = tokens_of(text)
    compiles = rng.random() < 0.75
    for _ in range(rng.choice((1, 1, 2, 3, 5)) if compiles else rng.choice((1, 1, 1, 2, 3, 8))):
        first, last = device_part(tokens) if rng.random() < 0.9 else (0, len(tokens))
        solid = [i for i in range(first, min(last, len(tokens))) if not tokens[i].isspace() and not tokens[i].startswith(("//", "/*", "\""))]
        if not solid:
            break
        if compiles:
            gentle(tokens, rng, solid)
        else:
            rough(tokens, rng, rng.choice(solid))
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
    if options.count >= 20 and compiled * 5 < options.count:
        complaints.append("hardly any mutant compiles, so hardly anything but the parser was tested")
    return smem_lint.fail(complaints)


if __name__ == "__main__":
    sys.exit(main())
