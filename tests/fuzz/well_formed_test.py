#!/usr/bin/env python3
"""Every program that kernels are lowered to is well-formed, whatever the kernels are.

Three kinds of kernels, from seeds: those of generate_kernels.py and of generate_idioms.py, and some around what is kept in memory and read again: stacks of work, pointers in shared
memory and in structures, atomics whose operands nothing else uses, exchanges in loops, breaks out of several of them, over types of 32 and
64 bits. smem-lint verifies each program that it makes.

    well_formed_test.py --tool smem-lint [--seed N] [--files N] [--kernels N]
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import generate_idioms

HERE = pathlib.Path(__file__).parent
PROLOGUE = """
template <class T> struct Work { unsigned begin, end; T pivot; unsigned *counter; };
template <class T> __device__ T middle(T a, T b, T c) { return a < b ? (b < c ? b : (a < c ? c : a)) : (a < c ? a : (b < c ? c : b)); }
"""
# `@` makes names unique. What is there already: T, the type; T *data, *other; Work<T> *work; unsigned n, t, x; T v; shared arrays.
STATEMENTS = (
    "T *from@ = x & 1 ? data : other; v += from@[t];",
    "if (t == 0) { kept = x & 2 ? values : spare; } __syncthreads(); v = kept[t];",
    "if (t == 0) sum = atomicAdd(work[x & 3].counter, n * 3 + x) - n; __syncthreads(); x += sum;",
    "if (t % 3 == 0) atomicSub(&sum, x * 5 + t); __syncthreads(); other[sum % 64] = v;",
    "unsigned *p@ = x & 1 ? &sum : work->counter; if (t < 9) x += atomicAdd(p@, t * 7 + n); __syncthreads(); data[sum % 64 + t] = v;",
    "atomicMax(work[t & 1].counter, x ^ 5); x += *work->counter;",
    "unsigned old@ = atomicCAS(work->counter, x, t + 2 * n); if (old@ == x) other[old@ % 32] = v;",
    "atomicExch(&stack[t % 4], x * 9); __syncthreads(); x = stack[(t + 1) % 4];",
    "for (unsigned i = t; i < n; i += 64) { if (data[i] < v) ++x; else if (data[i] > v) break; }",
    "for (unsigned i = 1; i < 32; i *= 2) { T got = __shfl_down_sync(~0u, v, i); if (got > v) v = got; x += i; }",
    "for (unsigned i = 0; i < n; ++i) { for (unsigned k = i; k < n; k += 3) { if (data[k] > v) goto out@; x += k; } if (x > 900) break; } out@: values[x % 64] = v;",
    "while (top >= 0) { unsigned mine = stack[top]; __syncthreads(); if (t == 0) { --top; if (mine > 3) stack[++top] = mine / 2; } __syncthreads(); other[mine % 64 + t] = v; }",
    "v = middle(v, data[x % 64], values[t]); if (v > other[t]) x = t;",
    "if (x > n) { work[t % 4].begin = x; work[t % 4].pivot = v; } else { Work<T> w@ = work[x & 3]; v = w@.pivot; x = w@.end; }",
    "switch (x % 4) { case 0: v += data[x]; case 1: x += 2; break; case 2: values[t] = v; default: x *= 3; } __syncthreads();",
    "if (x & 4) { values[t] = v; __syncwarp(); v = values[t ^ 1]; } data[t] = v;",
)


def kernel(seed, number):
    source = random.Random(f"{seed}.{number}")
    body = "\n  ".join(statement.replace("@", str(at)) for at, statement in enumerate(source.choices(STATEMENTS, k=source.randint(2, 7))))
    return f"""
template <class T> __global__ void kept_{number}(T *data, T *other, Work<T> *work, unsigned n) {{
  __shared__ T values[64], spare[64];
  __shared__ T *kept;
  __shared__ unsigned stack[4], sum;
  __shared__ int top;
  const unsigned t = threadIdx.x;
  unsigned x = t;
  T v = data[t];
  if (t == 0) {{ top = 0; stack[0] = n; sum = 0; }}
  values[t] = spare[t] = v;
  __syncthreads();
  {body}
  data[x % 64] = v + values[t];
}}
template __global__ void kept_{number}<{source.choice(('double', 'float', 'long long', 'unsigned', 'int'))}>({{0}} *, {{0}} *, Work<{{0}}> *, unsigned);
"""


def with_type(text):
    chosen = text.rsplit("<", 2)[1].split(">")[0]
    head, tail = text.rsplit("template __global__", 1)
    return head + "template __global__" + tail.replace("{0}", chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=25)
    options = parser.parse_args()
    complaints = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, HERE / "generate_kernels.py", "--seed", str(options.seed), "--files", str(options.files), "--kernels", str(options.kernels),
                        "--out", folder], check=True, stdout=subprocess.DEVNULL)
        for file in range(options.files):
            kernels = [with_type(kernel(options.seed, 1000 * file + number)) for number in range(options.kernels)]
            (folder / f"kept_{file}.cu").write_text(PROLOGUE + "".join(kernels), encoding="utf-8")
            (folder / f"idioms_{file}.cu").write_text(generate_idioms.program(options.seed, file, range(options.kernels)), encoding="utf-8")
        for file in sorted(folder.glob("*.cu")):
            done = subprocess.run([options.tool, "--cuda-path=none", "--fail-on=never", "--max-steps=20000", "-o", os.devnull, file], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode:
                complaints.append(f"--seed {options.seed}: {file.name}: exit code {done.returncode}: {done.stderr[:2000]}")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
