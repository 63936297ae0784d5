#!/usr/bin/env python3
"""A verdict does not get stronger where statements move from a kernel into a function that it calls.

Random bodies of statements as people write them stand once in a kernel, and again in a function, a function's function, a
template, a lambda, a method and a header. Line by line, each access has to be as certain as in the kernel or less so, and cost the same
where both are exact.

    inlining_test.py --tool smem-lint [--seed N] [--bodies N] [--keep DIR]
"""
import argparse
import collections
import json
import pathlib
import random
import sys
import tempfile

import smem_lint

# Of one body: in and out are different pointers to global memory, s is shared memory of 2,048 elements, t the thread's number in its block
# of 128, n a parameter. Each line has its own accesses.
STATEMENTS = (
    ("float a@ = in[t];", "out[t + 4096] = a@;", "float b@ = in[t];", "out[t + 256] = a@ + b@;"),
    ("out[t + 512] = in[t + 64] * in[t + 64];",),
    ("if (t < 40)", "  out[t] = in[t + 1];", "else", "  out[t] = in[t + 2];"),
    ("float c@ = 0;", "for (int k = 0; k < n; ++k)", "  c@ += in[k * 128 + t];", "out[t] = c@;"),
    ("for (int k = 0; k < 8; ++k)", "  s[t + k * 128] = in[t * 8 + k];", "__syncthreads();", "out[t] = s[t * 3];"),
    ("for (int k = t; k < n; k += 128)", "  s[k % 2048] = in[k];", "__syncthreads();", "out[t * 2] = s[t * 2];"),
    ("s[t] = in[t];", "__syncthreads();", "for (int w = 64; w > 0; w /= 2) {", "  if (t < w)", "    s[t] += s[t + w];", "  __syncthreads();", "}", "if (t == 0)", "  out[0] = s[0];"),
    ("float d@ = t % 2 ? in[t] : in[t + 128];", "out[t + 1024] = d@;"),
    ("const float *p@ = n > 50 ? in : in + 300;", "out[t] = p@[t];"),
    ("out[t] = 1;", "out[t] = in[t];"),
    ("float q@[4];", "for (int k = 0; k < 4; ++k)", "  q@[k] = in[t * 4 + k];", "out[t * 3] = q@[t % 4] + q@[0];"),
    ("#pragma unroll 3", "for (int k = 0; k < n; ++k)", "  out[t + k * 128] += in[t];"),
    ("float e@ = in[t + 5];", "if (n > 20)", "  out[t + 384] = e@;"),
    ("atomicAdd(reinterpret_cast<int *>(s) + t % 7, 1);", "__syncthreads();"),
    ("for (int k = 0; k < n; ++k)", "  if (k > t)", "    out[k] = in[k * 2];"),
    ("float4 v@ = reinterpret_cast<const float4 *>(in)[t];", "out[t] = v@.x + v@.z;"),
    ("out[2 * t] = in[2 * t];", "out[2 * t + 1] = in[2 * t + 1];"),
    ("switch (t % 4) {", "case 0: out[t] = in[t * 2]; [[fallthrough]];", "case 1: out[t + 1] = in[t * 3]; [[fallthrough]];", "case 2: out[t + 2] = in[t * 4]; break;",
     "default: break;", "}"),
    ("s[t] = in[t];", "s[t + 128] = in[t];", "__syncthreads();", "out[t] = s[127 - t] + s[255 - t];"),
    ("float f@ = in[t];", "for (int k = 0; k < 3; ++k) {", "  f@ = in[t] * f@;", "  out[t + k] = f@;", "}"),
    ("int g@ = 0;", "while (g@ < n && in[g@] < 4)", "  ++g@;", "out[t] = g@;"),
    ("float h@ = 0;", "for (int k = t % 4; k < n; ++k)", "  h@ += in[k];", "out[t] = h@;"),
)
PARAMETERS = "const float *in, float *out, float *s, int n, int t"
ARGUMENTS = "in, out, s, n, t"
VERDICTS = ("exact", "assumed", "unknown")


class Text:
    """A source file in the making; knows the lines of the bodies in it."""

    def __init__(self, name):
        self.name, self.lines, self.begin = name, ["#pragma once" if name.endswith(".h") else '#include "bodies.h"'], {}

    def add(self, *lines):
        self.lines += lines

    def body(self, variant, number, lines):
        self.begin[variant, number] = len(self.lines)
        self.lines += lines

    def write(self, folder):
        (folder / self.name).write_text("\n".join(self.lines) + "\n", encoding="utf-8")


def kernel(source, variant, number, *call):
    source.add(f"__global__ void k{number}_{variant}(const float *in, float *out, int n) {{", "  __shared__ float s[2048];", "  const int t = threadIdx.x;")
    for line in call:
        if isinstance(line, list):
            source.body(variant, number, line)
        else:
            source.add(line)
    source.add("}")


def write_variants(source, header, number, lines):
    kernel(source, "kernel", number, lines)
    for variant, target, before in (("function", source, "__device__"), ("static", source, "static __device__"), ("forced", source, "__device__ __forceinline__"),
                                    ("template", source, "template <int N> __device__"), ("header", header, "inline __device__")):
        target.add(f"{before} void f{number}_{variant}({PARAMETERS}) {{")
        target.body(variant, number, lines)
        target.add("}")
        kernel(source, variant, number, f"f{number}_{variant}{'<3>' if variant == 'template' else ''}({ARGUMENTS});")
    source.add(f"__device__ void i{number}({PARAMETERS}) {{")
    source.body("nested", number, lines)
    source.add("}", f"__device__ void o{number}({PARAMETERS}) {{ i{number}({ARGUMENTS}); }}")
    kernel(source, "nested", number, f"o{number}({ARGUMENTS});")
    kernel(source, "lambda", number, "const auto body = [&](int t) {", lines, "};", "body(t);")
    source.add(f"struct M{number} {{", "  const float *in; float *out; int n;", "  __device__ void run(float *s, int t) const {")
    source.body("method", number, lines)
    source.add("  }", "};")
    kernel(source, "method", number, f"M{number}{{in, out, n}}.run(s, t);")


def rows_of(report, texts):
    """(body, variant) -> (line of the body, space, operation) -> verdict and counts."""
    rows = collections.defaultdict(lambda: collections.defaultdict(list))
    for launch in report["launches"]:
        number, variant = launch["kernel"][1:].split("_")
        for site in launch["sites"]:
            text = next(text for text in texts if site["file"] and site["file"].endswith(text.name))
            begin = text.begin.get((variant, int(number)), 0)
            rows[int(number), variant][site["line"] - begin, site["space"], site["operation"]].append(site)
    return rows


def summed(sites):
    verdict = max((VERDICTS.index(site["verdict"]) for site in sites))
    return verdict, None if verdict == 2 else [sum(site[name] for site in sites) for name in ("wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors", "tags")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bodies", type=int, default=40)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the generated sources")
    options = parser.parse_args()
    random_source = random.Random(options.seed)
    source, header = Text("bodies.cu"), Text("bodies.h")
    bodies = []
    for number in range(options.bodies):
        # Each kind of statement alone first.
        chosen = [STATEMENTS[number]] if number < len(STATEMENTS) else random_source.sample(STATEMENTS, random_source.randint(2, 4))
        lines = ["  " + line.replace("@", str(at)) for at, statement in enumerate(chosen) for line in statement]
        bodies.append(lines)
        write_variants(source, header, number, lines)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(exist_ok=True)
        source.write(folder)
        header.write(folder)
        report, complaints = smem_lint.report_of(options.tool, folder / "bodies.cu", "--cuda-path=none", "--fail-on=never", "--launch", "block=(128) grid=(4) n=100")
    complaints = [complaint for complaint in complaints if "exit code 0" not in complaint]
    rows = rows_of(report, (source, header)) if report else {}
    compared = 0
    for (number, variant), own in sorted(rows.items()):
        for key, sites in own.items():
            line, space, operation = key
            before = rows[number, "kernel"].get(key)
            where = f"--seed {options.seed}, body {number}, {variant}, line {line} `{bodies[number][line - 1].strip() if 0 < line <= len(bodies[number]) else ''}`: {operation} {space}"
            verdict, counts = summed(sites)
            compared += 1
            if verdict and not before:
                continue
            if not before:
                complaints.append(f"{where}: exact, and not in the kernel's own rows")
                continue
            verdict_before, counts_before = summed(before)
            if verdict < verdict_before:
                complaints.append(f"{where}: {VERDICTS[verdict]}; {VERDICTS[verdict_before]} in the kernel")
            elif not verdict and counts != counts_before:
                complaints.append(f"{where}: exact {counts}; {counts_before} in the kernel")
    if compared < options.bodies * 20:
        complaints.append(f"only {compared} rows compared")
    return smem_lint.fail(complaints)


if __name__ == "__main__":
    sys.exit(main())
