#!/usr/bin/env python3
"""Times smem-lint against Clang compiling the same file for the device to optimised IR with the same headers.

The two commands take turns, so that whatever else the machine does falls on both; what is printed are medians over the
turns, and the ratio is the median of the ratios within one turn. Figures are for a person to read: nothing is asserted.

  tests/bench/end_to_end.py --tool build/bin/smem-lint                     # shipped headers, whole catalogue
  tests/bench/end_to_end.py --tool build/bin/smem-lint --cuda-path /usr/local/cuda --turns 5 kernels/gemm_*.cu
"""
import argparse
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = ROOT / "analyzer" / "headers"
CLANG_ARCHITECTURE = "sm_90"
# Clang 19 cannot launch kernels with the headers of CUDA 13 unless it takes them for those of CUDA 12.
SDK_VERSION = ["-Xclang", "-target-sdk-version=12.5"]
os.environ.setdefault("SMEM_LINT_CACHE_DIR", "none")  # what is measured analyses its file, each time


def shipped_headers_flags():
    return ["-nocudainc", "--cuda-feature=+ptx85", "-isystem", str(HEADERS), "-include", "smem_lint_cuda_prelude.h"]


def toolkit_flags(root):
    flags = [f"--cuda-path={root}", "-Wno-unknown-cuda-version", "-isystem", str(HEADERS / "compat"),
             "-include", "smem_lint_toolkit_compat.h"]
    cccl = pathlib.Path(root) / "include" / "cccl"
    return flags + (["-isystem", str(cccl)] if cccl.is_dir() else [])


def clang_command(clang, headers, file):
    return [clang, "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={CLANG_ARCHITECTURE}", "-nocudalib", "-O3",
            "-S", "-emit-llvm", "-w", "-o", "/dev/null", *SDK_VERSION, *headers, str(file)]


def lint_command(tool, cuda_path, file):
    return [tool, f"--arch={CLANG_ARCHITECTURE}", f"--cuda-path={cuda_path}", str(file)]


class Usage:
    """One run of a command: CPU and wall seconds, peak memory in MiB."""

    def __init__(self, command, sink):
        start = time.perf_counter()
        pid = os.posix_spawnp(command[0], command, os.environ,
                              file_actions=[(os.POSIX_SPAWN_DUP2, sink, 1), (os.POSIX_SPAWN_DUP2, sink, 2)])
        _, status, usage = os.wait4(pid, 0)
        self.wall = time.perf_counter() - start
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024
        self.code = os.waitstatus_to_exitcode(status)


def compare(pair, turns, sink):
    """Both commands in turns, after one unmeasured run of each that warms the file cache."""
    for command, is_failure in pair:
        code = Usage(command, sink).code
        if is_failure(code):
            raise RuntimeError(f"exit code {code}: {' '.join(command)}")
    runs = [[], []]
    for turn in range(turns):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            runs[side].append(Usage(pair[side][0], sink))
    return runs


def median(runs, what):
    return statistics.median(getattr(run, what) for run in runs)


def median_ratio(lint, clang, what):
    return statistics.median(getattr(a, what) / getattr(b, what) for a, b in zip(lint, clang))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, help="smem-lint")
    parser.add_argument("--clang", default="clang++-19", help="default: %(default)s")
    parser.add_argument("--cuda-path", default="none", help="a toolkit; default: none, the shipped headers")
    parser.add_argument("--turns", type=int, default=7, help="runs of each command (default: %(default)s)")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="default: the whole catalogue")
    options = parser.parse_args()
    files = options.files or sorted((ROOT / "kernels").glob("*.cu"))
    headers = shipped_headers_flags() if options.cuda_path == "none" else toolkit_flags(options.cuda_path)

    name = max(len(file.name) for file in files)
    print(f"{'':{name}}  {'CPU seconds':^25}  {'wall seconds':^25}  {'peak MiB':^11}")
    print(f"{'file':{name}}  {'lint':>7} {'clang':>8} {'ratio':>7}   {'lint':>7} {'clang':>8} {'ratio':>7}   {'lint':>5} {'clang':>5}")
    cpu_ratios, cpus, totals = [], [], [0.0, 0.0]
    with open(os.devnull, "w") as null:
        for file in files:
            pair = [(lint_command(options.tool, options.cuda_path, file), lambda code: code not in (0, 1)),
                    (clang_command(options.clang, headers, file), lambda code: code != 0)]
            try:
                lint, clang = compare(pair, options.turns, null.fileno())
            except RuntimeError as error:
                print(f"{file.name:{name}}  not measured: {error}")
                continue
            cpu_ratios.append(median_ratio(lint, clang, "cpu"))
            cpus.append((median(lint, "cpu"), file.name))
            totals[0] += median(lint, "cpu")
            totals[1] += median(clang, "cpu")
            print(f"{file.name:{name}}  {median(lint, 'cpu'):7.3f} {median(clang, 'cpu'):8.3f} {cpu_ratios[-1]:7.2f}   "
                  f"{median(lint, 'wall'):7.3f} {median(clang, 'wall'):8.3f} {median_ratio(lint, clang, 'wall'):7.2f}   "
                  f"{median(lint, 'memory'):5.0f} {median(clang, 'memory'):5.0f}", flush=True)
    if cpu_ratios:
        print(f"\n{len(cpu_ratios)} files: CPU ratio median {statistics.median(cpu_ratios):.2f}, worst {max(cpu_ratios):.2f}, "
              f"of the sums {totals[0] / totals[1]:.2f}; lint CPU median {statistics.median(c for c, _ in cpus):.3f} s, "
              f"worst {max(cpus)[0]:.3f} s ({max(cpus)[1]})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
