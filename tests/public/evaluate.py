#!/usr/bin/env python3
"""Runs smem-lint over other people's CUDA files and says how far it gets.

The files are not part of this project. list.json names them: repository, commit, path, include folders of the repository
itself, and whether nvcc 13 compiles them. --sources is a folder with a checkout of each repository at OWNER/NAME.

  tests/public/evaluate.py --tool build/bin/smem-lint --sources ~/public -o tests/public/figures.json
  tests/public/evaluate.py --tool build/bin/smem-lint --sources ~/public --only rodinia --verbose
"""
import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("SMEM_LINT_CACHE_DIR", "none")  # what is measured analyses its file, each time

HERE = pathlib.Path(__file__).resolve().parent
HANG_SECONDS = 120  # far above what the budgets of the analysis allow
MAIN = re.compile(r"\b(?:int|void|auto)\s+main\s*\(|\bCUTE_.*main\s*\(")
COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def load_list(path):
    """Each file with the flags that its include folders make."""
    files = []
    for repository in json.loads(path.read_text()):
        for file in repository["files"]:
            files.append(dict(file, repository=repository["repository"], commit=repository["commit"]))
    return files


def command(tool, cuda_path, sources, file):
    path = os.path.join(sources, file["repository"], file["path"])
    flags = ["-I" + os.path.normpath(os.path.join(sources, folder)) for folder in file["includes"]]
    return [tool, f"--cuda-path={cuda_path}", "--arch=sm_90", "--format=json", "--quiet", "-j1", path, "--", *flags]


def run(arguments, limit):
    """Exit code (None: more CPU seconds than the limit), wall and CPU seconds, peak MiB, standard output, standard error."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        process = subprocess.Popen(arguments, stdout=out, stderr=err)
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)  # reaped here, not by Popen
        wall = time.monotonic() - start
        if code in (-signal.SIGXCPU, -signal.SIGKILL) and usage.ru_utime + usage.ru_stime > limit - 1:
            code = None
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
        return code, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, *texts


def outcome_of(code, report, errors):
    """One of analysed, refused, crash, hang; and the first reason."""
    messages = [d["message"] for d in (report or {}).get("diagnostics", []) if d["severity"] == "error"]
    reason = messages[0] if messages else (errors.strip().splitlines() or [""])[0]
    if code is None:
        return "hang", f"no end within {HANG_SECONDS} s of CPU time"
    if code not in (0, 1, 2) or report is None or any("crashed" in m or "internal error" in m for m in messages):
        return "crash", reason or f"exit code {code}"
    return ("refused", reason) if code == 2 else ("analysed", "")


def launches_of(report):
    """Launches that host code makes, each place and kernel once; of these, grid and block known; the block at least."""
    inferred, block = {}, {}
    for launch in report["launches"]:
        place = launch["origin"]["location"]
        if place is None:
            continue
        key = (place["file"], place["line"], place["column"], launch["mangled"])
        inferred[key] = inferred.get(key, False) or launch["origin"]["kind"] == "host_code"
        block[key] = block.get(key, False) or not any(text.startswith("block=") for text in launch["origin"]["assumptions"])
    return len(inferred), sum(inferred.values()), sum(block.values())


def evaluate(file, options):
    code, wall, cpu, memory, out, err = run(command(options.tool, options.cuda_path, options.sources, file), HANG_SECONDS)
    try:
        report = json.loads(out)
    except ValueError:
        report = None
    outcome, reason = outcome_of(code, report, err)
    text = COMMENTS.sub("", pathlib.Path(options.sources, file["repository"], file["path"]).read_text(errors="replace"))
    row = {"repository": file["repository"], "path": file["path"], "nvcc": file["nvcc"], "outcome": outcome}
    if reason:
        row["reason"] = reason.replace(os.path.join(options.sources, ""), "")
    row.update(seconds=round(cpu, 2), wall=round(wall, 2), mib=round(memory), main=bool(MAIN.search(text)))
    if report and outcome == "analysed":
        made, known, block = launches_of(report)
        verdicts = collections.Counter(site["verdict"] for launch in report["launches"] for site in launch["sites"])
        row.update(kernels=sum(f["kernels"] for f in report["files"]), launches=made, inferred=known, block=block,
                   verdicts={v: verdicts[v] for v in ("exact", "assumed", "unknown")},
                   missing=sorted({d["message"] for d in report["diagnostics"] if "not installed" in d["message"]}))
    return row


def share(part, whole):
    return round(part / whole, 4) if whole else None


def summary_of(rows):
    compiled = [r for r in rows if r["nvcc"] == "compiles"]
    analysed = [r for r in rows if r["outcome"] == "analysed"]
    with_main = [r for r in analysed if r["main"]]
    def launches(some):
        made, known, block = (sum(r[k] for r in some) for k in ("launches", "inferred", "block"))
        return {"launches_in_files_with_main": made, "inferred": known, "share_inferred": share(known, made), "block": block}

    verdicts = {v: sum(r["verdicts"][v] for r in analysed) for v in ("exact", "assumed", "unknown")}
    seconds = sorted(r["seconds"] for r in rows)
    return {
        "files": len(rows), "compiled_by_nvcc": len(compiled),
        "analysed_of_these": sum(r["outcome"] == "analysed" for r in compiled),
        "share_analysed": share(sum(r["outcome"] == "analysed" for r in compiled), len(compiled)),
        "analysed_of_the_others": sum(r["outcome"] == "analysed" for r in rows if r["nvcc"] != "compiles"),
        "crashes": sum(r["outcome"] == "crash" for r in rows), "hangs": sum(r["outcome"] == "hang" for r in rows),
        **launches(with_main), "compiled": launches([r for r in with_main if r["nvcc"] == "compiles"]),
        "rows": verdicts,
        "seconds": {"median": statistics.median(seconds), "p95": seconds[int(0.95 * (len(seconds) - 1))], "max": seconds[-1]},
        "mib": {"median": statistics.median(r["mib"] for r in rows), "max": max(r["mib"] for r in rows)},
    }


def state_of_machine(options):
    def first_line(*arguments):
        try:
            return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.splitlines()
        except (OSError, subprocess.CalledProcessError):
            return [""]
    processor = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    return {"date": datetime.date.today().isoformat(), "processor": processor, "cores": os.cpu_count(),
            "smem_lint": first_line(options.tool, "--version")[0], "headers": options.cuda_path}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--sources", required=True, help="folder with OWNER/NAME for every repository of the list")
    parser.add_argument("--list", type=pathlib.Path, default=HERE / "list.json")
    parser.add_argument("--cuda-path", default="/usr/local/cuda", help="as smem-lint's; `none` for its own headers")
    parser.add_argument("--only", default="", help="files whose repository and path contain this")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="a line for every file that was not analysed")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    options.sources = os.path.abspath(options.sources)
    files = [f for f in load_list(options.list) if options.only in f["repository"] + "/" + f["path"]]
    missing = sorted({f["repository"] for f in files if not os.path.isdir(os.path.join(options.sources, f["repository"]))})
    if missing or not files:
        sys.exit("evaluate.py: " + (f"no checkout of {', '.join(missing)} in {options.sources}" if missing else "no such files"))
    lacking = [f for f in files if not pathlib.Path(options.sources, f["repository"], f["path"]).is_file()]
    if lacking:
        sys.exit(f"evaluate.py: {len(lacking)} files are not in their checkouts, the first is {lacking[0]['repository']}/{lacking[0]['path']}")

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(lambda file: evaluate(file, options), files))
    if options.verbose:
        for row in rows:
            if row["outcome"] != "analysed":
                print(f"{row['nvcc']:9} {row['outcome']:8} {row['seconds']:7.2f}s {row['repository']}/{row['path']}: {row.get('reason', '')}")
    figures = {"machine": state_of_machine(options), "summary": summary_of(rows), "files": rows}
    if options.output:
        options.output.write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures["summary"], indent=1))


if __name__ == "__main__":
    main()
