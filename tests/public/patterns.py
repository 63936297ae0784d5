#!/usr/bin/env python3
"""Claims about all launches, on every file of some code bases: at what share of their sites there is one, and whether launches at random values contradict it.

patterns.json names the repositories with commits; all files in them that have a kernel or a launch are looked at. The sources are no part of this project.
`sweep.py sources` and `sweep.py pack`, with --list tests/public/patterns.json, write them and make them small enough to carry.

  tests/public/patterns.py --sources DIR --tool build/bin/smem-check-patterns -o tests/public/patterns_figures.json

From the source alone: no configuration, no option but the include folders and the C++ standard that include_folders.py finds. A file that is not parsed, for
a missing include mostly, has no kernels and no sites. A site is a memory instruction of one kernel, counted in each of its instantiations; those whose
address or lanes depend on loaded data are counted apart. `bounded`: of those with cases, the ones of which one is a bound only, for blocks whose rows are
whole warps: "4 sectors when n % 32 == 0, else at most 32".
"""
import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "bench")]
import sweep  # noqa: E402

GIVE_UP = 900  # CPU seconds of one file with all its launches
VERDICTS = ("always", "cases", "data", "unknown")


def check(file, path, flags, options):
    row = {"repository": file[0], "path": file[1]}
    with tempfile.TemporaryFile("w+") as out:
        command = [options.tool, "--json", "--rounds", str(options.rounds), "--seed", str(options.seed), path, "--", *flags]
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (GIVE_UP, GIVE_UP)))
        _, status, usage = os.wait4(process.pid, 0)
        out.seek(0)
        lines = out.read().splitlines()
    row.update(code=os.waitstatus_to_exitcode(status), cpu=round(usage.ru_utime + usage.ru_stime, 2))
    if row["code"] in (0, 1) and lines:
        report = json.loads(lines[-1])
        row.update({key: report[key] for key in ("parsed", "kernels", "sites", "checked", "contradicted", "wrapped")})
        row["open"] = [{**one, "place": one["place"].replace(options.sources + "/", "")} for one in report["open"]]
        for line in lines[:-1]:
            print(line.replace(options.sources + "/", ""), flush=True)
    return row


def shares(rows):
    """Of the sites that do not depend on data: how many, and what share has a claim."""
    out = {}
    for space in ("shared", "global"):
        sums = collections.Counter()
        for row in rows:
            sums.update(row["sites"][space])
        claimed = sums["always"] + sums["cases"]
        out[space] = {**{verdict: sums[verdict] for verdict in VERDICTS}, "bounded": sums["bounded"],
                      "share": round(claimed / (claimed + sums["unknown"]), 4) if claimed + sums["unknown"] else None}
    return out


def summary_of(rows):
    with_kernels = [row for row in rows if row.get("kernels")]
    reasons = collections.Counter()
    for row in with_kernels:
        for one in row["open"]:
            if one["verdict"] == "unknown":
                reasons[one["space"], one["reason"]] += one["sites"]
    by_repository = collections.defaultdict(list)
    for row in with_kernels:
        by_repository[row["repository"]].append(row)
    return {
        "files": len(rows), "with_kernels": len(with_kernels), "kernels": sum(row["kernels"] for row in with_kernels),
        "failed": [f"{row['repository']}/{row['path']}" for row in rows if row["code"] not in (0, 1)],
        "checked": sum(row["checked"] for row in with_kernels), "contradicted": sum(row["contradicted"] for row in with_kernels),
        "all": shares(with_kernels), "repositories": {name: {"files": len(own), **shares(own)} for name, own in sorted(by_repository.items())},
        "reasons": [{"space": space, "reason": reason, "sites": count} for (space, reason), count in reasons.most_common(25)],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=pathlib.Path, default=HERE / "patterns.json")
    parser.add_argument("--sources", required=True, help="folder with a checkout of each repository of the list")
    parser.add_argument("--chosen", type=pathlib.Path, help="the files and their flags as `sweep.py pack` wrote them")
    parser.add_argument("--only", default="", help="files whose repository and path match this regular expression")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="an Nth of them")
    parser.add_argument("--tool", required=True)
    parser.add_argument("--rounds", type=int, default=50, help="launches at random values of each kernel")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    options.list = json.loads(options.list.read_text())
    options.sources = os.path.abspath(options.sources)
    files = sweep.Files(options)
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        started = [pool.submit(check, file, files.path(file), files.flags(file), options) for file in files.all]
        for done in concurrent.futures.as_completed(started):
            row = done.result()
            rows.append(row)
            print(f"{row['code']:3} {row['cpu']:6.1f} s {row.get('kernels', '-'):>5} kernels  {row.get('checked', 0):8} checked  {row['repository']}/{row['path']}", flush=True)
    rows.sort(key=lambda row: (row["repository"], row["path"]))
    summary = summary_of(rows)
    if options.output:
        head = json.dumps({"date": datetime.date.today().isoformat(), "rounds": options.rounds, "seed": options.seed, "summary": summary}, indent=1)[:-2]
        options.output.write_text(head + ',\n "files": [\n' + ",\n".join("  " + json.dumps(row) for row in rows) + "\n ]\n}\n")
    print(json.dumps(summary, indent=1))
    return 1 if summary["contradicted"] or summary["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
