#!/usr/bin/env python3
"""Times smem-lint against Clang compiling the same public files for the device to optimised IR with the same headers.

Files that nvcc compiles, as list.json says; each command runs in turns, and the quickest run of each counts, as other work on the
machine only ever adds. The result is added to the figures that evaluate.py wrote.

  tests/public/speed.py --tool build/bin/smem-lint --sources ~/public --every 5 tests/public/figures.json
"""
import argparse
import json
import os
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]
import end_to_end  # noqa: E402
import evaluate  # noqa: E402

# What smem-lint adds to the headers of a toolkit, so that both parse the same text.
NVCC_VERSION = ["-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=0"]


def commands(file, options):
    lint = evaluate.command(options.tool, options.cuda_path, options.sources, file)
    headers = end_to_end.shipped_headers_flags() if options.cuda_path == "none" else end_to_end.toolkit_flags(options.cuda_path) + NVCC_VERSION
    includes = lint[lint.index("--") + 1:]
    path = lint[lint.index("--") - 1]
    return lint, end_to_end.clang_command(options.clang, [*headers, "-idirafter", str(end_to_end.HEADERS / "host"), *includes], path)


def compare(file, options, sink):
    """The quickest runs of (smem-lint, Clang), or None where one of them fails."""
    lint, clang = commands(file, options)
    runs = [], []
    for _ in range(options.turns):
        for side, (command, accepted) in enumerate(((lint, (0, 1)), (clang, (0,)))):
            run = end_to_end.Usage(command, sink)
            if run.code not in accepted:
                return None
            runs[side].append(run)
    return [min(side, key=lambda run: run.cpu) for side in runs]


def spread(values):
    values = sorted(values)
    return {"median": round(statistics.median(values), 3), "p95": round(values[int(0.95 * (len(values) - 1))], 3), "max": round(values[-1], 3)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--sources", required=True, help="as evaluate.py's")
    parser.add_argument("--list", type=pathlib.Path, default=HERE / "list.json")
    parser.add_argument("--cuda-path", default="/usr/local/cuda")
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth file (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("figures", type=pathlib.Path)
    options = parser.parse_args()
    options.sources = os.path.abspath(options.sources)
    files = [file for file in evaluate.load_list(options.list) if file["nvcc"] == "compiles"][::options.every]
    times, memory = [], []
    with open(os.devnull, "w") as null:
        for file in files:
            pair = compare(file, options, null.fileno())
            if pair is None:
                print(f"not compared: {file['repository']}/{file['path']}")
                continue
            lint, clang = pair
            times.append(lint.cpu / clang.cpu)
            memory.append(lint.memory / clang.memory)
            print(f"{times[-1]:6.2f} {memory[-1]:5.2f} {lint.cpu:7.2f} s {file['repository']}/{file['path']}", flush=True)
    if not times:
        sys.exit("speed.py: nothing could be compared")
    figures = json.loads(options.figures.read_text())
    figures["speed"] = {"files": len(times), "every": options.every, "time": spread(times), "memory": spread(memory)}
    options.figures.write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures["speed"]))


if __name__ == "__main__":
    main()
