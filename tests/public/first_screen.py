#!/usr/bin/env python3
"""What somebody sees who runs smem-lint on a file of a library, and what it takes: lines, notes among them, CPU time over Clang's, memory.

  tests/public/first_screen.py --sources DIR --tool build/bin/smem-lint -o tests/public/first_screen_figures.json

The files are those of patterns.json (see patterns.py); no configuration, the default output, standard output and errors together. A file counts if something was
analysed of it (exit code 0 or 1, a kernel in the last line). Notes are lines, not findings.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]
import sweep  # noqa: E402

SCREEN = 40
KERNELS = re.compile(r"in \d+ files?, (\d+) kernels?, ")


def look(file, path, flags, options):
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        process = subprocess.Popen([options.tool, path, "--", *flags], stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        out.seek(0)
        lines = out.read().splitlines()
    kernels = [int(found[1]) for found in map(KERNELS.search, lines) if found]
    warnings = [number for number, line in enumerate(lines, 1) if ": warning: " in line]
    row = {"repository": file[0], "path": file[1], "code": os.waitstatus_to_exitcode(status), "cpu": round(usage.ru_utime + usage.ru_stime, 2),
           "mib": round(usage.ru_maxrss / 1024), "lines": len(lines), "notes": sum(": note: " in line for line in lines), "warnings": len(warnings),
           "warnings_off_screen": sum(number > SCREEN for number in warnings), "kernels": kernels[-1] if kernels else 0}
    if row["kernels"] and row["code"] in (0, 1):
        row["clang"], row["clang_mib"] = sweep.clang_alone(options, flags, path)
    return row


def summary_of(rows):
    some = [row for row in rows if row["kernels"] and row["code"] in (0, 1)]
    ratios = [row["cpu"] / row["clang"] for row in some if row.get("clang")]
    at = sweep.percentile
    return {"files": len(rows), "with_kernels": len(some), "lines": {"p50": at([row["lines"] for row in some], .5), "p95": at([row["lines"] for row in some], .95),
                                                                   "max": max(row["lines"] for row in some)},
            "note_share": round(sum(row["notes"] for row in some) / sum(row["lines"] for row in some), 3),
            "warnings": sum(row["warnings"] for row in some), "files_with_warnings_off_screen": sum(row["warnings_off_screen"] > 0 for row in some),
            "seconds": {"p50": at([row["cpu"] for row in some], .5), "p95": at([row["cpu"] for row in some], .95), "max": max(row["cpu"] for row in some)},
            "above_30_s": sum(row["cpu"] > 30 for row in some), "above_1_gib": sum(row["mib"] > 1024 for row in some), "mib": max(row["mib"] for row in some),
            "over_clang": {"files": len(ratios), "p50": round(at(ratios, .5), 2), "p95": round(at(ratios, .95), 2), "max": round(max(ratios), 2)} if ratios else None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=pathlib.Path, default=HERE / "patterns.json")
    parser.add_argument("--sources", required=True, help="folder with a checkout of each repository of the list")
    parser.add_argument("--chosen", type=pathlib.Path, help="the files and their flags as `sweep.py pack` wrote them")
    parser.add_argument("--only", default="", help="files whose repository and path match this regular expression")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="an Nth of them")
    parser.add_argument("--tool", required=True)
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--headers", default="/usr/local/cuda", help="the toolkit that smem-lint finds, for Clang; `none` for smem-lint's own headers")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    options.list = json.loads(options.list.read_text())
    options.sources = os.path.abspath(options.sources)
    files = sweep.Files(options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(lambda file: look(file, files.path(file), files.flags(file), options), files.all))
    summary = summary_of(rows)
    if options.output:
        head = json.dumps({"date": datetime.date.today().isoformat(), "summary": summary}, indent=1)[:-2]
        options.output.write_text(head + ',\n "files": [\n' + ",\n".join("  " + json.dumps(row) for row in rows) + "\n ]\n}\n")
    print(json.dumps(summary, indent=1))


if __name__ == "__main__":
    main()
