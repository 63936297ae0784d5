#!/usr/bin/env python3
"""Predictions from source against the machine code that nvcc makes, over other people's files: no GPU, nothing is run.

compiled.json names repositories with commits, a seed and how many files; sweep.py chooses the files and finds their include folders. A file that nvcc compiles is
analysed twice with the launches that smem-lint finds or assumes, from source and with the listing of its machine code (`--as-compiled`), and each row is compared: it is
right where the machine code has the same counts for it or for all of its line, wrong where it has others or no such instruction, and open where the machine code cannot
be followed there or the row has no counts.

  tests/public/compiled.py run  --sources DIR --tool build/bin/smem-lint --jobs 16 --rows FILE [--listings DIR] [--half judges]
  tests/public/compiled.py time --sources DIR --tool build/bin/smem-lint --jobs 4
  tests/public/compiled.py show --rows FILE [-o tests/public/compiled_figures.json] [--wrong]

A hash of the path puts each file into one of two halves. One is to learn from: --listings keeps its machine code, --wrong prints its rows that are wrong. The other half
judges: of it nothing is kept but counts, and copies of files of the other half are no part of it. Sources are no part of this project; --sources has a checkout of each repository at OWNER/NAME (sweep.py sources, pack).
"""
import argparse
import collections
import concurrent.futures
import datetime
import hashlib
import json
import lzma
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import evaluate  # noqa: E402
import sweep  # noqa: E402

NVCC = ["-cubin", "-arch=sm_90", "-O3", "-lineinfo", "--expt-relaxed-constexpr", "--extended-lambda", "-w"]
CPU_SECONDS = 240      # of one program on one file
LISTING_MIB = 48       # a longer listing is of hundreds of instantiations of one template
CLAIM = ("file", "line", "column", "inlined_at", "space", "operation", "width_bits")
COUNTS = ("requests", "wavefronts", "sectors", "tags")
OUTCOMES = ("right", "wrong", "open")
COSTS = ("smem-bank-conflict", "smem-atomic-serialization", "gmem-uncoalesced")
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def judges(file):
    return hashlib.sha256("/".join(file).encode()).digest()[0] % 2 == 1


def key_of(site):
    return json.dumps([site[name] for name in CLAIM])


def place_of(site):
    return json.dumps([site[name] for name in CLAIM if name != "width_bits"])


def half_of(file):
    return "judges" if judges(file) else "learns"


def class_of(site):
    """What a row claims and what that rests on beside the launch: `none`, or the ids of its uncertainties."""
    if site["verdict"] == "unknown" and not (site.get("pattern") or {}).get("cases"):
        return "unknown"
    # Verdicts follow these very figures (nvcc/rules/calibration.h): what they made of a class is not to change it.
    rests_on = {*(site.get("uncertainties") or []), *(site.get("established") or [])} - {"assumed-calibration"}
    return "+".join(sorted(rests_on)) or "none"


def lines_of(sites):
    """What a line of source does in each space, as a profiler shows it: sums over widths and call chains; None where a count is not known."""
    sums = {}
    for site in sites:
        if site.get("compiled") == "absent":
            continue
        at = site["file"], site["line"], site["space"], site["operation"]
        counts = [site[name] for name in COUNTS]
        before = sums.get(at, [0] * len(COUNTS))
        sums[at] = None if before is None or None in counts else [one + other for one, other in zip(before, counts)]
    return sums


def outcome_of(site, other, source, machine, claimed):
    """`source`, `machine`: by line; `claimed`: the source's rows with counts alone. Right where the row or all of its line is."""
    if other["compiled"] == "confirmed":
        return "right"
    if other["compiled"] not in ("corrected", "absent"):
        return "open"
    # What differs in another launch of the kernel is corrected in all.
    if site["requests"] is not None and all(site[name] == other[name] for name in (*COUNTS, "width_bits")):
        return "right"
    at = site["file"], site["line"], site["space"], site["operation"]
    # Machine code has lines, not columns: what corrects a row is of all of its line. Where another row of the line is unknown, only less than what is claimed tells.
    if other["compiled"] == "corrected" and source[at] is None and site["requests"] is not None:
        least = claimed[at]
        return "open" if machine.get(at) is None or all(one >= other for one, other in zip(machine[at], least)) else "wrong"
    return "right" if source[at] is not None and source[at] == machine.get(at) else "wrong" if site["requests"] is not None else "open"


def claim_of(site, other):
    """What a row claims of a request in all launches, `always`, by `cases`, or that it depends on `data`, and whether the machine code's requests cost that: those of one case, or between
    the least and the most of all. `others`: its row has more requests or fewer, of which it has the sum alone; `absent`: it has no such instruction."""
    pattern = site.get("pattern") or {"verdict": "unknown"}
    if other.get("compiled") == "absent" or not pattern.get("cases"):
        return pattern["verdict"], "absent" if pattern.get("cases") else "open"
    cost = "wavefronts" if site["space"] == "shared" else "sectors"
    if other.get("compiled") not in ("confirmed", "corrected") or not other["requests"] or other[cost] is None:
        return pattern["verdict"], "open"
    if site["requests"] is not None and site["requests"] != other["requests"]:
        return pattern["verdict"], "others"
    costs = [case[cost] for case in pattern["cases"]]
    least = 0 if any(case["at_most"] for case in pattern["cases"]) else min(costs)
    return pattern["verdict"], "right" if least * other["requests"] <= other[cost] <= max(costs) * other["requests"] else "wrong"


def compare(source, machine):
    """Counters of (verdict, class, outcome) and of claim_of(), rows that the machine code alone has, and what is wrong."""
    rows, claims, added, wrong = collections.Counter(), collections.Counter(), 0, []
    for launch, compiled in zip(source["launches"], machine["launches"]):
        if launch["mangled"] != compiled["mangled"]:
            raise ValueError(f"launches differ: {launch['kernel']}, {compiled['kernel']}")
        by_line = lines_of(launch["sites"]), lines_of(compiled["sites"]), lines_of([site for site in launch["sites"] if site["requests"] is not None])
        kept = collections.defaultdict(list)
        for site in compiled["sites"]:
            if site.get("compiled") == "added":
                added += 1
            else:
                kept[key_of(site)].append(site)
        # A row that is corrected is listed with the widths of the machine code, those of one place as one.
        corrected = {place_of(site): site for site in compiled["sites"] if site.get("compiled") == "corrected"}
        for site in launch["sites"]:
            same = kept[key_of(site)]
            other = same.pop(0) if same else corrected.get(place_of(site), {"compiled": None})
            outcome = outcome_of(site, other, *by_line) if other.get("compiled") else "open"
            rows[site["verdict"], class_of(site), outcome] += 1
            claim = claim_of(site, other)
            claims[claim] += 1
            if outcome == "wrong" or claim[1] == "wrong":
                wrong.append({"kernel": launch["kernel"], "place": f"{site['file']}:{site['line']}:{site['column']}", "verdict": site["verdict"], "class": class_of(site), "outcome": outcome, "claim": list(claim),
                              "access": f"{site['space']} {site['operation']} {site['width_bits']}", "compiled": other["compiled"],
                              "source": [site[name] for name in COUNTS], "machine": [other[name] for name in COUNTS]})
    return rows, claims, added, wrong


def warnings_of(report):
    """Places of its warnings about what accesses cost."""
    return {(finding["rule"], finding["file"], finding["line"]) for finding in report["findings"] if finding["severity"] == "warning" and finding["rule"] in COSTS}


def compare_warnings(source, machine):
    """How many warnings of the source stand in the machine code as well, how many do not, and how many it has besides."""
    before, behind = warnings_of(source), warnings_of(machine)
    return [len(before & behind), len(before - behind), len(behind - before)]


def lint(options, arguments, flags, path):
    """The report, if there is one, and CPU seconds."""
    _, _, cpu, _, out, _ = evaluate.run([options.tool, "--format=json", "--no-cache", "-j1", f"--timeout={options.timeout}", *arguments, path, "--", *flags], CPU_SECONDS)
    try:
        return json.loads(out), cpu
    except ValueError:
        return None, cpu


def listing_of(flags, path, folder, stand_ins):
    """The machine code for --as-compiled, and empty or what went wrong."""
    cubin, listing = os.path.join(folder, "k.cubin"), os.path.join(folder, "k.sass")
    # A framework that is not installed has headers in its place, of which device code sees as little as of its own.
    ways = [flags, [*flags, "-isystem", str(stand_ins)]] if stand_ins else [flags]
    if all(evaluate.run(["env", f"TMPDIR={folder}", "nvcc", *NVCC, "-x", "cu", *way, "-o", cubin, path], CPU_SECONDS)[0] != 0 for way in ways):
        return None, "nvcc does not compile it"
    if not shutil.which("nvdisasm"):
        return cubin, ""
    with open(listing, "w") as out:
        if subprocess.run(["nvdisasm", "-gi", cubin], stdout=out, stderr=subprocess.DEVNULL, check=False).returncode:
            return None, "nvdisasm ends with an error"
    if os.path.getsize(listing) > LISTING_MIB << 20:
        return None, f"its listing has more than {LISTING_MIB} MiB"
    return listing, ""


def examine(file, flags, options):
    path = os.path.join(sweep.checkout(options.sources, file[0]), file[1])
    row = {"repository": file[0], "path": file[1], "judges": judges(file)}
    with tempfile.TemporaryDirectory() as folder:
        listing, row["why"] = listing_of(flags, path, folder, options.stand_ins)
        if not listing:
            return row
        if options.listings and not row["judges"]:
            target = options.listings / ("+".join(file).replace("/", "+") + ".sass.xz")
            target.write_bytes(lzma.compress(pathlib.Path(listing).read_bytes(), preset=1))
        source, row["seconds"] = lint(options, [], flags, path)
        machine, row["seconds_compiled"] = lint(options, [f"--as-compiled={listing}"], flags, path)
    if not source or not machine or len(source["launches"]) != len(machine["launches"]):
        row["why"] = "no report"
        return row
    try:
        rows, claims, row["added"], wrong = compare(source, machine)
    except ValueError as error:
        row["why"] = str(error)
        return row
    row["kernels"] = len({launch["mangled"] for launch in source["launches"]})
    row["warnings"] = compare_warnings(source, machine)
    row["rows"] = [[*key, count] for key, count in sorted(rows.items())]
    row["claims"] = [[*key, count] for key, count in sorted(claims.items())]
    if not row["judges"]:
        row["wrong"] = wrong
    return row


def without_copies(files, text_of):
    """Of files that differ in comments and spaces only, one: that of the half to learn from, as whoever looks at it has seen the others."""
    kept = {}
    for file in sorted(files, key=lambda file: (judges(file), file)):
        plain = COMMENT.sub(lambda match: match[1] or " ", text_of(file))
        kept.setdefault(hashlib.sha256("".join(plain.split()).encode()).digest(), file)
    return list(kept.values())


def run(options):
    files = sweep.Files(options)

    def text_of(file):
        return pathlib.Path(sweep.checkout(options.sources, file[0]), file[1]).read_text(errors="replace")
    done = set()
    if options.rows.exists():
        done = {(row["repository"], row["path"]) for row in map(json.loads, options.rows.read_text().splitlines())}
    if options.listings:
        options.listings.mkdir(parents=True, exist_ok=True)
    todo = [(file, files.flags(file)) for file in without_copies(files.all, text_of) if file not in done and options.half in ("both", half_of(file))]
    # By a hash, so that what there is when the time is over is a sample of all.
    todo.sort(key=lambda item: hashlib.sha256("/".join(item[0]).encode()).hexdigest())
    end = time.monotonic() + options.seconds if options.seconds else None

    def one(item):
        return None if end and time.monotonic() > end else examine(*item, options)

    with open(options.rows, "a") as out, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        # As they come: what is done when the time is over is kept.
        for row in (done.result() for done in concurrent.futures.as_completed([pool.submit(one, item) for item in todo])):
            if row:
                out.write(json.dumps(row) + "\n")
                out.flush()


def quickest(command, times=2):
    """Wall seconds, or None if it fails."""
    seconds = []
    for _ in range(times):
        start = time.monotonic()
        try:
            if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=CPU_SECONDS).returncode:
                return None
        except subprocess.TimeoutExpired:
            return None
        seconds.append(time.monotonic() - start)
    return min(seconds)


def timings(options):
    """Of some files, chosen by a hash: nvcc alone, nvdisasm alone, smem-lint from source, with nvcc and nvdisasm, and the same again with a cache."""
    files = sweep.Files(options)
    order = sorted(files.all, key=lambda file: hashlib.sha256(("/".join(("time", *file))).encode()).hexdigest())

    def one(file):
        path, flags = os.path.join(sweep.checkout(options.sources, file[0]), file[1]), files.flags(file)
        with tempfile.TemporaryDirectory() as folder:
            lint, given = [options.tool, "--fail-on=never", path], ["--", *NVCC[1:], *flags]
            compiled = [*lint, "--as-compiled", *given]
            cached = [*lint, "--as-compiled", f"--cache-dir={folder}/cache", *given]
            return {"file": "/".join(file), "nvcc": quickest(["nvcc", *NVCC, "-x", "cu", *flags, "-o", f"{folder}/k.cubin", path]),
                    "nvdisasm": quickest(["nvdisasm", "-gi", f"{folder}/k.cubin"]), "source": quickest([*lint, *given]),
                    "compiled": quickest(compiled), "cached": quickest(cached, 3)}

    measured = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, file) for file in order[options.skip:options.skip + options.files]]):
            if None not in done.result().values():
                measured.append(done.result())
                print(json.dumps(measured[-1]), flush=True)
    if not measured:
        sys.exit("none of the files compiles and is analysed")
    ratios = {"as compiled / nvcc": [row["compiled"] / row["nvcc"] for row in measured],
              "as compiled / nvcc and nvdisasm": [row["compiled"] / (row["nvcc"] + row["nvdisasm"]) for row in measured],
              "as compiled / longer of nvcc and source": [row["compiled"] / max(row["nvcc"], row["source"]) for row in measured],
              "second run, s": [row["cached"] for row in measured]}
    for name, values in ratios.items():
        print(f"{name}: median {statistics.median(values):.3f}, most {max(values):.3f}, {len(values)} files")


def percent(right, wrong):
    return f"{100 * right / (right + wrong):.2f}%" if right + wrong else "-"


def table(rows, by):
    """Lines `what, right, wrong, open` of the rows, most first."""
    counts = collections.defaultdict(collections.Counter)
    for row in rows:
        for verdict, kind, outcome, count in row.get("rows", []):
            counts[by(row, verdict, kind)][outcome] += count
    return {name: [count[outcome] for outcome in OUTCOMES] for name, count in sorted(counts.items(), key=lambda item: (-sum(item[1].values()), item[0]))}


def claims_of(rows):
    """By verdict of the pattern: how many have which outcome."""
    counts = collections.defaultdict(collections.Counter)
    for row in rows:
        for verdict, outcome, count in row.get("claims", []):
            counts[verdict][outcome] += count
    return counts


def figures_of(rows):
    compared = [row for row in rows if "rows" in row]
    halves = {"judges": [row for row in compared if row["judges"]], "learns": [row for row in compared if not row["judges"]]}
    return {"date": datetime.date.today().isoformat(), "files": len(rows), "left_out": dict(collections.Counter(row["why"] for row in rows if row["why"])),
            "repositories": len({row["repository"] for row in compared}), "compared": len(compared), "kernels": sum(row["kernels"] for row in compared),
            "added": sum(row["added"] for row in compared),
            **{name: {"files": len(half), "verdicts": table(half, lambda row, verdict, kind: verdict), "classes": table(half, lambda row, verdict, kind: kind),
                      "exact_by_repository": table([dict(row, rows=[r for r in row["rows"] if r[0] == "exact"]) for row in half], lambda row, verdict, kind: row["repository"])}
               for name, half in halves.items()}}


def show(options):
    rows = [json.loads(line) for line in options.rows.read_text().splitlines()]
    if options.wrong:
        for row in rows:
            for one in row.get("wrong", []):
                if re.search(options.only, "/".join((row["repository"], row["path"]))) and (options.all or (one["verdict"] == "exact" and one["outcome"] == "wrong")):
                    print(f"{one['verdict']:8} {one['class']:40} {one['outcome']:5} {' '.join(one['claim']):12} {one['place']} {one['access']} {one['compiled']} {one['source']} {one['machine']} {one['kernel']}")
        return
    figures = figures_of(rows)
    for name in ("judges", "learns"):
        print(f"{name}: {figures[name]['files']} files")
        for what in ("verdicts", "classes"):
            for kind, (right, wrong, left) in figures[name][what].items():
                print(f"  {kind:60} {right:8} right {wrong:6} wrong {left:6} open  {percent(right, wrong)}")
    claims = claims_of(rows)
    if claims:
        said, asked = (sum(sum(claims.get(kind, {}).values()) for kind in kinds) for kinds in (("always", "cases"), ("always", "cases", "unknown")))
        print(f"a claim for each request of {said} of {asked} rows that do not depend on data, {100 * said / max(asked, 1):.1f}%")
        for kind in ("always", "cases"):
            count = claims.get(kind, collections.Counter())
            print(f"  {kind}: {count['right']} right {count['wrong']} wrong  {percent(count['right'], count['wrong'])}  {count['others']} of other requests {count['absent']} without an instruction {count['open']} open")
    warnings = [sum(counts) for counts in zip(*(row["warnings"] for row in rows if "warnings" in row), strict=True)]
    if warnings:
        print("warnings from source: {} stand in the machine code as well, {} do not; it has {} more".format(*warnings))
    if options.output:
        options.output.write_text(json.dumps(figures, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run")
    command.add_argument("--sources", required=True)
    command.add_argument("--chosen", type=pathlib.Path, help="files and their flags, as sweep.py pack writes them")
    command.add_argument("--list", type=lambda path: json.loads(pathlib.Path(path).read_text()), default=str(HERE / "compiled.json"))
    command.add_argument("--tool", required=True)
    command.add_argument("--jobs", type=int, default=os.cpu_count())
    command.add_argument("--timeout", type=int, default=60, help="of smem-lint, for a file")
    command.add_argument("--seconds", type=int, help="no file is begun after as many")
    command.add_argument("--rows", type=pathlib.Path, required=True, help="one line of JSON a file; what it has is not done again")
    command.add_argument("--half", choices=("both", "judges", "learns"), default="both", help="that half alone")
    command.add_argument("--listings", type=pathlib.Path, help="keeps the machine code of the half to learn from")
    command.add_argument("--stand-ins", type=pathlib.Path, help="include folder for what nvcc does not compile otherwise: analyzer/headers/host")
    command.add_argument("--only", default="")
    command.add_argument("--every", type=int, default=1)
    command.set_defaults(run=run)
    command = commands.add_parser("time", help="wall seconds of nvcc, and of smem-lint with and without it")
    command.add_argument("--sources", required=True)
    command.add_argument("--chosen", type=pathlib.Path, help="as of run")
    command.add_argument("--list", type=lambda path: json.loads(pathlib.Path(path).read_text()), default=str(HERE / "compiled.json"))
    command.add_argument("--tool", required=True)
    command.add_argument("--jobs", type=int, default=1, help="files at a time")
    command.add_argument("--files", type=int, default=60)
    command.add_argument("--skip", type=int, default=0, help="files that another run has measured")
    command.add_argument("--only", default="")
    command.add_argument("--every", type=int, default=1)
    command.set_defaults(run=timings)
    command = commands.add_parser("show")
    command.add_argument("--rows", type=pathlib.Path, required=True)
    command.add_argument("--wrong", action="store_true", help="the wrong rows of the half to learn from")
    command.add_argument("--all", action="store_true", help="with --wrong: those that are not exact, too")
    command.add_argument("--only", default="")
    command.add_argument("-o", "--output", type=pathlib.Path)
    command.set_defaults(run=show)
    options = parser.parse_args()
    if isinstance(getattr(options, "sources", None), str):
        options.sources = os.path.abspath(options.sources)
    options.run(options)


if __name__ == "__main__":
    main()
