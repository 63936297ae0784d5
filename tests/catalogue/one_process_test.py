#!/usr/bin/env python3
"""What smem-lint says of a file does not depend on the files that are analysed before it or beside it, nor on their flags.

Every file of the catalogue is analysed alone, and then all of them in one process, in two shuffled orders, by one thread and by
eight, with files between them whose flags ask for other settings of the compiler. What the reports say of a file is compared
byte by byte.

    one_process_test.py --tool smem-lint [--seed N] [--files N]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile

import smem_lint

FLAGS = (["-mllvm", "-inline-threshold=0"], ["-mllvm", "-unroll-threshold=0", "-O1"], ["-O1"], ["-use_fast_math"], ["-mllvm", "-unroll-runtime=true"],
         ["-fno-unroll-loops"], ["-Xclang", "-mllvm", "-Xclang", "-two-entry-phi-node-folding-threshold=0"])
BETWEEN = """
__device__ int sum(const int *values, int n) {
  int all = 0;
  for (int i = 0; i < n; ++i)
    all += values[i * 3];
  return all;
}
__global__ void between(const int *values, int *sums, int n) {
  __shared__ int kept[64];
  kept[threadIdx.x] = sum(values + threadIdx.x, n) + sum(values, 7);
  __syncthreads();
  sums[threadIdx.x] = kept[threadIdx.x * 2 % 64];
}
int main() { between<<<1, 64>>>(nullptr, nullptr, 40); }
"""


def of_file(report, name):
    """What a report says of the file `name`, whatever number the name has in front."""
    own = {key: [entry for entry in report[key] if entry.get("file") and os.path.basename(entry["file"]) == name]
           for key in ("files", "sources", "launches", "findings", "diagnostics")}
    first = next((number for number, launch in enumerate(report["launches"]) if launch in own["launches"]), 0)
    for finding in own["findings"]:
        del finding["fingerprints"]   # they know the file's name
        for instance in finding["instances"]:
            instance["launch"] -= first  # a number among those of all files
    return json.dumps(own).replace(name, name.split("_", 1)[1])


def entry(folder, name, flags):
    return {"directory": str(folder), "file": name, "arguments": ["nvcc", *flags, f"-I{smem_lint.ROOT / 'kernels'}", "-c", name]}


def analyse(tool, folder, names, jobs):
    done = smem_lint.run(tool, "--format=json", "--cuda-path=none", "--fail-on=never", f"-j{jobs}", "-p", ".", *names, cwd=folder)
    report = json.loads(done.stdout)
    unparsed = [file["file"] for file in report["files"] if not file["parsed"] or not file["kernels"]]
    if len(report["files"]) != len(names) or unparsed:
        sys.exit(f"not analysed: {unparsed} {smem_lint.text(done.stderr)}")
    return report


def shuffled(tool, scratch, flags, seed, jobs):
    """Report of each kernel file, all of one process. Files are analysed in the order of their names: numbers in front decide it."""
    random_source = random.Random(seed)
    folder = scratch / f"{seed}-{jobs}"
    folder.mkdir()
    kernels = list(flags)
    random_source.shuffle(kernels)
    database = []
    for number, kernel in enumerate(kernels):
        shutil.copy(smem_lint.ROOT / "kernels" / kernel, folder / f"{2 * number:04}_{kernel}")
        database.append(entry(folder, f"{2 * number:04}_{kernel}", flags[kernel]))
        between = f"{2 * number + 1:04}_between.cu"
        (folder / between).write_text(BETWEEN, encoding="utf-8")
        database.append(entry(folder, between, random_source.choice(FLAGS)))
    (folder / "compile_commands.json").write_text(json.dumps(database), encoding="utf-8")
    report = analyse(tool, folder, [e["file"] for e in database], jobs)
    return {e["file"].split("_", 1)[1]: of_file(report, e["file"]) for e in database if "between" not in e["file"]}


def alone(tool, scratch, kernel, flags):
    folder = scratch / f"alone-{kernel}"
    folder.mkdir()
    shutil.copy(smem_lint.ROOT / "kernels" / kernel, folder / f"0_{kernel}")
    (folder / "compile_commands.json").write_text(json.dumps([entry(folder, f"0_{kernel}", flags)]), encoding="utf-8")
    return of_file(analyse(tool, folder, [f"0_{kernel}"], 1), f"0_{kernel}")


def difference(before, now):
    at = len(os.path.commonprefix([before, now]))
    return f"{before[max(0, at - 80):at + 80]!r} alone, {now[max(0, at - 80):at + 80]!r} here"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True, type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=1000, help="so many of the catalogue, the first in a shuffled order")
    options = parser.parse_args()
    random_source = random.Random(options.seed)
    kernels = sorted(path.name for path in (smem_lint.ROOT / "kernels").glob("*.cu"))
    random_source.shuffle(kernels)
    # A third of the files themselves has unusual flags.
    flags = {kernel: random_source.choice(FLAGS) if random_source.random() < 1 / 3 else [] for kernel in kernels[:options.files]}
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            expected = dict(zip(flags, pool.map(lambda kernel: alone(options.tool, scratch, kernel, flags[kernel]), flags)))
        complaints = []
        for seed, jobs in ((options.seed, 1), (options.seed + 1, 8)):
            got = shuffled(options.tool, scratch, flags, seed, jobs)
            complaints += [f"--seed {options.seed}: {kernel} {flags[kernel]}: with -j{jobs}, in the order of seed {seed}: {difference(expected[kernel], got[kernel])}"
                           for kernel in flags if got[kernel] != expected[kernel]]
    return smem_lint.fail(complaints)


if __name__ == "__main__":
    sys.exit(main())
