#!/usr/bin/env python3
"""A project of many translation units with a compilation database: cold, warm, after a change, and the kernels whose launches are found.

The database is made here: all .cu files below a folder of a repository, with the include folders and the C++ standard that include_folders.py finds and what
--flag adds. Units that Clang does not compile are left out, so that both do the same work.

  tests/public/project.py --sources DIR --repository ggml-org/ggml --under src/ggml-cuda --tool build/bin/smem-lint -o tests/public/project_figures.json

CPU seconds are user and system of all processes. Clang makes optimised device IR of each unit with the same headers, one after the other; smem-lint analyses the
database in one run, with an empty cache, with the cache that this run has filled, and after a line of one unit has changed, of which the time by itself is measured,
too. `launched`: kernels of which a launch was found in host code, of any unit, whatever is known of its values.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]
import include_folders  # noqa: E402
import sweep  # noqa: E402


def units_of(options):
    root = sweep.checkout(options.sources, options.repository)
    if not root:
        sys.exit(f"project.py: no checkout of {options.repository} in {options.sources}")
    repository, standard = include_folders.Repository(root), include_folders.standard(root)
    paths = sorted(str(path.relative_to(root)) for path in pathlib.Path(root, options.under).rglob("*.cu"))
    for path in paths[::options.every]:
        folders = include_folders.include_folders(repository, path, sweep.SYSTEM, sweep.TOOLKIT)
        yield os.path.join(root, path), [*standard, *(os.path.normpath(f"-I{root}/{folder}") for folder in folders), *options.flag]


def run(command):
    """CPU and wall seconds, exit code."""
    start = time.perf_counter()
    with open(os.devnull, "w") as null:
        process = subprocess.Popen(command, stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
    return {"cpu": round(usage.ru_utime + usage.ru_stime, 2), "wall": round(time.perf_counter() - start, 2), "code": os.waitstatus_to_exitcode(status)}


def launched(report):
    """(kernels, those that host code launches); a kernel is a mangled name at a place."""
    kernels, of_host = set(), set()
    for launch in json.loads(pathlib.Path(report).read_text())["launches"]:
        name = launch["mangled"], launch["file"], launch["line"]
        kernels.add(name)
        if launch["origin"]["location"]:
            of_host.add(name)
    return kernels, of_host


def measure(options, units, folder):
    database, report = os.path.join(folder, "database"), os.path.join(folder, "report.json")
    os.makedirs(database)
    pathlib.Path(database, "compile_commands.json").write_text(json.dumps(
        [{"directory": database, "file": path, "arguments": ["nvcc", *flags, "-c", path, "-o", f"{number}.o"]} for number, (path, flags) in enumerate(units)]))
    lint = [options.tool, "-p", database, "--cache-dir", os.path.join(folder, "cache"), "-j", str(options.jobs)]
    result = {"cold": run(lint)}
    run([*lint, "--format=json", "-o", report])
    kernels, of_host = launched(report)
    result["kernels"], result["launched"] = len(kernels), len(of_host)
    result["warm"] = run(lint)
    changed = next((path for path, _ in units if path.endswith(options.changed)), units[len(units) // 2][0])
    text = pathlib.Path(changed).read_text()
    try:
        pathlib.Path(changed).write_text(text + "\n// changed\n")
        flags = dict(units)[changed]
        alone = [run([options.tool, changed, "--no-cache", "-j", str(options.jobs), "--", *flags]) for _ in range(3)]
        result["alone"] = min(alone, key=lambda one: one["wall"])
        result["changed"] = {"unit": os.path.basename(changed), **run(lint)}
    finally:
        pathlib.Path(changed).write_text(text)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", required=True, help="folder with a checkout of the repository at OWNER/NAME")
    parser.add_argument("--repository", required=True)
    parser.add_argument("--under", default=".", help="a folder of it")
    parser.add_argument("--flag", action="append", default=[], help="a flag for all units")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="an Nth of the units")
    parser.add_argument("--changed", default="", metavar="END", help="the unit that changes: how its path ends")
    parser.add_argument("--tool", required=True)
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--headers", default="/usr/local/cuda", help="the toolkit that smem-lint finds, for Clang; `none` for smem-lint's own headers")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    options.sources = os.path.abspath(options.sources)
    units = list(units_of(options))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        clang = list(pool.map(lambda unit: sweep.clang_alone(options, unit[1], unit[0])[0], units))
    units = [unit for unit, seconds in zip(units, clang) if seconds]
    with tempfile.TemporaryDirectory() as folder:
        figures = {"date": datetime.date.today().isoformat(), "repository": options.repository, "under": options.under, "units": len(units), "left_out": clang.count(None),
                   "jobs": options.jobs, "clang": round(sum(seconds for seconds in clang if seconds), 2), **measure(options, units, folder)}
    figures["cold_over_clang"] = round(figures["cold"]["cpu"] / figures["clang"], 2)
    text = json.dumps(figures, indent=1) + "\n"
    if options.output:
        options.output.write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
