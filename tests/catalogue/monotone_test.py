#!/usr/bin/env python3
"""Who knows less claims less: what is exact with less to go by is exact, with the same counts, with more.

Less are headers of smem-lint's own in place of a toolkit's, with any compiler flags, an architecture whose rules were not measured, and a small budget
of steps. A sample of the catalogue is analysed with either, and kernels that call the headers' functions from several lines. Flags that say nothing
of the code change nothing.

    monotone_test.py --tool smem-lint [--toolkit DIR] [--seed N] [--files N]
"""
import argparse
import collections
import json
import os
import pathlib
import random
import sys
import tempfile

import smem_lint

COUNTS = ("wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors", "tags")
VERDICTS = ("exact", "assumed", "unknown")
ONE_WORD = smem_lint.ROOT / "tests" / "lit" / "constructs" / "atomics_one_word.cu"
FLAGS = (("-std=c++20",), ("-O1",), ("-use_fast_math", "-maxrregcount=64"))
LONG = bool(os.environ.get("SMEM_LINT_LONG_TESTS"))  # flags one by one as well, and all files for each architecture
SILENT_FLAGS = ("-DNOTHING_ASKS_FOR_IT=1", "-I.", "-lineinfo", "-w")
ALWAYS = ("gemm_wmma.cu", "gemm_cp_async.cu", "async_copy_pipeline.cu", "atomics_shared.cu")
HEADERS = """
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;
__global__ void copies(const half *a, const half *b, float *c, int n) {
  __shared__ __align__(16) half left[2][64][32], right[2][64][32];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.f);
  auto load = [&](int stage, int from) {
    for (int at = threadIdx.x; at < 256; at += 128)
      __pipeline_memcpy_async(&left[stage][at / 4][at % 4 * 8], &a[at * n + from], 16);
    for (int at = threadIdx.x; at < 256; at += 128)
      __pipeline_memcpy_async(&right[stage][at / 4][at % 4 * 8], &b[at * n + from], 16);
    __pipeline_commit();
  };
  load(0, 0);
  for (int k = 0, stage = 0; k < n; k += 32, stage ^= 1) {
    if (k + 32 < n) {
      load(stage ^ 1, k + 32);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
    wmma::load_matrix_sync(x, &left[stage][0][0], 32);
    wmma::load_matrix_sync(y, &right[stage][0][0], 32);
    wmma::mma_sync(sum, x, y, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(c + blockIdx.x * 256, sum, 16, wmma::mem_row_major);
}
__global__ void reads(const float *in, const half2 *pairs, float *out, int *counts, int n) {
  __shared__ int bins[64];
  const int t = threadIdx.x;
  bins[t % 64] = 0;
  __syncthreads();
  atomicAdd(&bins[t % 7], 1);
  if (t < n)
    atomicAdd(&bins[t % 5], 2);
  out[t] = __ldg(in + t) + __ldg(in + 2 * t);
  out[t + 128] = __ldg(in + t + 256) + __low2float(pairs[t]) + __shfl_xor_sync(~0u, in[t + 64], 1);
  __syncthreads();
  atomicAdd(counts + t % 64, bins[t % 64]);
  atomicMax(counts + t, bins[63 - t % 64]);
}
int main() {
  copies<<<4, 128>>>(nullptr, nullptr, nullptr, 256);
  reads<<<4, 128>>>(nullptr, nullptr, nullptr, nullptr, 100);
}
"""


def rows(tool, files, *options, flags=()):
    """(launch, line, space, operation) -> verdict and counts of the row."""
    names = [file.relative_to(smem_lint.ROOT) if file.is_relative_to(smem_lint.ROOT) else file for file in files]  # as other tests name them
    done = smem_lint.run(tool, "--format=json", "--fail-on=never", *options, *names, "--", *flags, cwd=smem_lint.ROOT)
    report = json.loads(done.stdout)
    if not all(file["parsed"] and file["kernels"] for file in report["files"]):
        sys.exit(f"not analysed with {options}: {smem_lint.text(done.stderr)}")
    found = collections.defaultdict(list)
    for number, launch in enumerate(report["launches"]):
        for site in launch["sites"]:
            found[number, launch["kernel"], pathlib.Path(site["file"] or "?").name, site["line"], site["space"], site["operation"]].append(site)
    return {key: (max(VERDICTS.index(site["verdict"]) for site in sites), [sum(site[name] or 0 for site in sites) for name in COUNTS]) for key, sites in found.items()}


def stronger(less, more, label):
    """What is exact in `less` and not, or otherwise, in `more`."""
    for key, (verdict, counts) in less.items():
        if verdict:
            continue
        known = more.get(key)
        if known and not known[0] and known[1] == counts:
            continue
        yield f"{label}: {key}: exact {counts} with less to go by; with more " + (f"{VERDICTS[known[0]]} {known[1]}" if known else "there is no such row")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--toolkit", help="its root; without one headers are not compared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=10, help="so many more of the catalogue than those that call headers' functions most")
    options = parser.parse_args()
    kernels = sorted(path for path in (smem_lint.ROOT / "kernels").glob("*.cu") if path.name not in ALWAYS)
    random.Random(options.seed).shuffle(kernels)
    files = [smem_lint.ROOT / "kernels" / name for name in ALWAYS] + kernels[:options.files]
    complaints = []
    with tempfile.TemporaryDirectory() as scratch:
        own = pathlib.Path(scratch) / "headers.cu"
        own.write_text(HEADERS, encoding="utf-8")
        files += [own, ONE_WORD]
        usual = rows(options.tool, files, "--cuda-path=none")
        exact = sum(not verdict for verdict, _ in usual.values())
        if exact < 100:
            complaints.append(f"only {exact} rows are exact at all")
        complaints += stronger(rows(options.tool, files, "--cuda-path=none", "--max-steps=3000"), usual, "3000 steps")
        if options.toolkit:
            complaints += stronger(usual, rows(options.tool, files, f"--cuda-path={options.toolkit}"), "headers of smem-lint")
        few = [smem_lint.ROOT / "kernels" / name for name in ALWAYS[-2:]] + [own, ONE_WORD]
        together = tuple(flag for flags in FLAGS for flag in flags)
        for flags in ((together, *FLAGS) if LONG else (together,)) if options.toolkit else ():
            complaints += stronger(rows(options.tool, few, "--cuda-path=none", flags=flags), rows(options.tool, few, f"--cuda-path={options.toolkit}", flags=flags),
                                   f"headers of smem-lint with {' '.join(flags)}")
        if rows(options.tool, few, "--cuda-path=none", flags=SILENT_FLAGS) != rows(options.tool, few, "--cuda-path=none"):
            complaints.append(f"{' '.join(SILENT_FLAGS)} change rows")
        for number, architecture in enumerate(("sm_80", "sm_86", "sm_89", "sm_100", "sm_120")):
            inferred = rows(options.tool, files if LONG or number == options.seed % 5 else few, "--cuda-path=none", f"--arch={architecture}")
            complaints += [f"{architecture}: {key}: exact {counts}, by rules that were not measured"
                           for key, (verdict, counts) in inferred.items() if not verdict and any(counts)]
    return smem_lint.fail(complaints[:40])


if __name__ == "__main__":
    sys.exit(main())
