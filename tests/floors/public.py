#!/usr/bin/env python3
"""Floors of other people's programs against what Nsight Compute measured of them on an H100 (validate/recorded/units-public-h100.json).

    tests/floors/public.py record --ncu FILE                                     what was measured -> validate/recorded/units-public-h100.json
    tests/floors/public.py update --lint build/bin/smem-lint --sources DIR --recordings DIR [--listings DIR]      predictions -> tests/floors/public.json
    tests/floors/public.py check [--lint build/bin/smem-lint]                    exit code 1 if a floor is above a measured time, or figures are not those recorded
    tests/floors/public.py own --lint build/bin/smem-lint                        records anew what `check --lint` predicts: of programs of this project, as of the others
    tests/floors/public.py show|causes                                           for documentation

`record` takes one JSON object a line: {"key": "OWNER+REPOSITORY+PROGRAM", "run": [arguments], "csv": [lines of `ncu --csv --page raw --print-units base`]}. Sources are not part of this
project: --sources has a checkout of each repository at OWNER/NAME. Launches are those of the recordings (`smem-validate measure`), KEY.0.jsonl; with listings (`nvdisasm -gi`), KEY.sass,
predictions are made with the machine code as well.
"""
import argparse
import collections
import csv
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import evidence  # noqa: E402

MEASURED = evidence.RECORDED / "units-public-h100.json"
PREDICTED = evidence.ROOT / "tests/floors/public.json"
PERCENT = ".avg.pct_of_peak_sustained_elapsed"
PIPES = ("alu", "fma", "fmaheavy", "fp16", "fp64", "lsu", "tensor", "uniform", "xu")

# Of the H100 that was measured, as `smem-lint --doctor` has them (simulator/src/floor/gpu.cpp): reports have only what follows of them, and `causes` runs no smem-lint. `check --lint` compares.
DRAM_GBS, L2_MIB = 3352, 50
TIGHT = 0.8  # floors that are called tight; docs/floors.md counts the launches that have one
# Rules of cause(): chosen, not measured. They choose the words of a table, and decide of no check.
AS_GOOD_AS_ALL = 0.9  # of what a unit did, or of the instructions: Nsight Compute takes the percentage and the time in different runs of the launch
OF_BYTES = 0.85  # the same of bytes, with more room: both the percentage and the time go into what DRAM has moved
DRAM_BUSY = 60  # percent, as for evidence.with_work(): L2 is busy with what goes to DRAM
OWN = ("async_copy_single_stage", "bitonic_sort", "gemm_tiled_branches", "gemm_tiled_conflict", "reduction_shuffle")

Row = collections.namedtuple("Row", "program kernel measured floor_ns bound binding instructions compiled")


def plain(kernel):
    """What Nsight Compute's name of a kernel and smem-lint's have in common."""
    kernel = re.sub(r"\((?!anonymous)[a-z ]+\)(?=-?[0-9'])", "", re.sub(r"^(void|static) ", "", kernel))
    depth, end = 0, len(kernel)
    for i, c in enumerate(kernel):
        depth += {"<": 1, ">": -1}.get(c, 0)
        if c == "(" and depth == 0 and not kernel.startswith("(anonymous", i):
            end = i
            break
    return kernel[:end].replace(" ", "")


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return 0.0


def dim(text):
    return [int(one) for one in re.findall(r"\d+", text)]


def launches_of(lines):
    table = list(csv.DictReader(lines))[1:]  # the first is of units
    for row in table:
        def percent(name):
            return round(number(row.get(name + PERCENT, "")), 2)
        launch = {"kernel": plain(row["Kernel Name"]), "grid": dim(row["Grid Size"]), "block": dim(row["Block Size"]), "ns": int(number(row["gpu__time_duration.sum"])),
                  "sm": percent("sm__throughput"), "memory": percent("gpu__compute_memory_throughput"), "l1": percent("l1tex__throughput"), "l2": percent("lts__throughput"),
                  "dram": percent("dram__throughput"), "instructions": int(number(row.get("smsp__inst_executed.sum", ""))),
                  "pipes": {pipe: percent("sm__inst_executed_pipe_" + pipe) for pipe in PIPES if row.get("sm__inst_executed_pipe_" + pipe + PERCENT)}}
        if launch["ns"] > 0:
            yield launch


def record(args):
    programs = []
    for line in args.ncu.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        launches = list(launches_of(one["csv"]))
        if launches and "+" in one["key"] and not one["key"].startswith("own+"):
            programs.append({"program": one["key"].replace("+", "/"), "run": one["run"], "launches": launches})
    head = {"gpu": args.gpu, "driver": args.driver, "nvcc": "13.0", "ncu": args.version, "date": args.date,
            "command": "ncu --clock-control none --cache-control none --kernel-id :::1 --launch-count 8 --metrics ..."}
    rows = ",\n".join(json.dumps({**program, "launches": None})[:-len("null}")] + "[\n  " + ",\n  ".join(json.dumps(launch) for launch in program["launches"]) + "]}" for program in programs)
    MEASURED.write_text(json.dumps(head)[:-1] + ', "programs": [\n' + rows + "]}\n", encoding="utf-8")
    print(len(programs), sum(len(program["launches"]) for program in programs))
    return 0


def measured():
    return json.loads(MEASURED.read_text(encoding="utf-8"))["programs"] if MEASURED.exists() else []


def name_of(launch):
    return f"{launch['kernel'].replace(' ', '')} {'x'.join(map(str, launch['grid']))} {'x'.join(map(str, launch['block']))}"


def predict(args, program):
    """By launch, or why not."""
    sys.path.insert(0, str(evidence.ROOT / "tests/public"))
    import accuracy
    key = program["program"]
    entry = next(p for p in accuracy.load_programs(args.list) if p.key == key)
    recording = args.recordings / (key.replace("/", "+") + ".0.jsonl")
    if not recording.exists():
        return "no recording"
    kernels = [f"--kernel={name}" for name in accuracy.recorded_kernels(recording)]
    listing = args.listings / (key.replace("/", "+") + ".sass") if args.listings else None
    if listing and not listing.exists():
        listing = None
    sources = [place for place in entry.places(str(args.sources)) if place.endswith(".cu")]
    return analysed(args, recording, listing, ["--cuda-path=/usr/local/cuda", *kernels, *sources, "--", *entry.compiler_flags(str(args.sources))])


def analysed(args, recording, listing, rest):
    """Floors of the launches of a recording, by launch, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "predicted.json")
        compiled = [f"--as-compiled={listing}"] if listing else []
        command = [args.lint, f"--gpu={evidence.GPU}", "--quiet", "--checks=-*", "--format=json", "--fail-on=never", "-j1", f"--launches={recording}", *compiled, "-o", out, *rest]
        try:
            done = subprocess.run(command, cwd=evidence.ROOT, capture_output=True, text=True, errors="replace", timeout=args.seconds, check=False)
        except subprocess.TimeoutExpired:
            return "no prediction in time"
        if done.returncode not in (0, 1) or not os.path.exists(out):
            return (done.stderr.strip().splitlines() or ["failed"])[0][:200]
        report = json.loads(pathlib.Path(out).read_text(encoding="utf-8"))
    found = {}
    for launch in report["launches"]:
        floor = launch["floor"]
        if floor is None:
            continue
        row = {"floor_ns": floor["ns"], "bound": floor["bound_by_throughput"], "binding": floor["binding"], "at_least": floor["at_least"], "instructions": floor["arithmetic"]["instructions"]}
        name = plain(launch["kernel"]) + " " + name_of(launch).split(" ", 1)[1]
        if name not in found or found[name]["floor_ns"] > row["floor_ns"]:  # launches of one shape may differ in their arguments: the least is certain
            found[name] = row
    return found


def own(args):
    """What is predicted in the same way of programs that are part of this project: recorded launches, with machine code."""
    found = {}
    for name in OWN:
        rows = analysed(args, evidence.RECORDED / f"catalogue/{name}.jsonl", evidence.ROOT / f"tests/compiled/data/{name}.sass", [f"kernels/{name}.cu"])
        if isinstance(rows, str):
            sys.exit(f"{name}: {rows}")
        found[name] = rows
    return found


def own_times():
    """The fastest that was measured of their launches, in ns."""
    times = {}
    for program in evidence.load("units")["programs"]:
        name = pathlib.Path(program["program"]).stem
        for launch in program["launches"] if name in OWN and not program["defines"] else ():
            key = name, name_of(launch)
            times[key] = min(launch["ns"], times.get(key, launch["ns"]))
    return times


def update(args):
    kinds = {"source": None, "compiled": args.listings} if args.listings else {"source": None}
    before = recorded()["predicted"] if args.missing else {}
    predicted, problems = {program: dict(found) for program, found in before.items()}, {}
    wanted = [program for program in measured() if program["program"] not in before]
    for kind, listings in kinds.items():
        options = argparse.Namespace(**{**vars(args), "listings": listings})
        with ThreadPoolExecutor(args.jobs) as pool:
            for program, result in zip(wanted, pool.map(lambda one: predict(options, one), wanted)):
                if isinstance(result, str):
                    problems[program["program"]] = result
                    continue
                for name, row in result.items():
                    predicted.setdefault(program["program"], {}).setdefault(name, {})[kind] = row
    kept = {p["program"]: {name_of(l): predicted[p["program"]][name_of(l)] for l in p["launches"] if name_of(l) in predicted.get(p["program"], {})} for p in measured()}
    kept = {program: found for program, found in kept.items() if found}
    text = [f"{json.dumps(program)}: {{\n  " + ",\n  ".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in found.items()) + "}" for program, found in sorted(kept.items())]
    PREDICTED.write_text('{"predicted": {\n' + ",\n".join(text) + '},\n"figures": {}}\n', encoding="utf-8")
    now = {kind: figures(rows(kind)) for kind in ("source", "compiled")}
    PREDICTED.write_text('{"figures": ' + json.dumps(now) + ',\n"own": ' + json.dumps(own(args), indent=1) + ',\n"predicted": {\n' + ",\n".join(text) + "}}\n", encoding="utf-8")
    for program, problem in problems.items():
        print(f"{program}: {problem}")
    print(json.dumps(now, indent=1))
    return 0


def recorded():
    return json.loads(PREDICTED.read_text(encoding="utf-8")) if PREDICTED.exists() else {"predicted": {}, "figures": {}}


def rows(kind="source"):
    """Of `compiled` those of the source where there is no machine code."""
    predicted = recorded()["predicted"]
    found = []
    for program in measured():
        for launch in program["launches"]:
            kinds = predicted.get(program["program"], {}).get(name_of(launch))
            row = kinds and (kinds.get(kind) or kinds.get("source"))
            if row:
                found.append(Row(program["program"], launch["kernel"], launch, row["floor_ns"], row["bound"], row["binding"], row["instructions"], kind in kinds))
    return found


def figures(all_rows):
    busy = evidence.with_work(all_rows)
    limit = [row for row in busy if evidence.highest(row)[1] >= 80]
    return {"launches": len(all_rows), "floor_above_measured": sum(evidence.share(row) > 1 for row in all_rows), "instructions_above_counted": sum(row.instructions > row.measured["instructions"] for row in all_rows),
            "busy": len(busy), "busy_same_unit": sum(map(evidence.same_unit, busy)), "busy_tight": sum(evidence.share(row) >= TIGHT for row in busy), "above_80": len(limit),
            "above_80_tight": sum(evidence.share(row) >= TIGHT for row in limit), "busy_median_share": round(statistics.median(map(evidence.share, busy)), 3) if busy else None}


def figures_of_gpu(lint):
    """GB/s of DRAM and MiB of L2 that smem-lint has of evidence.GPU; nothing, if --doctor does not say."""
    text = subprocess.run([lint, "--doctor"], capture_output=True, text=True, check=False).stdout
    found = re.search(rf"^ *{evidence.GPU} .* ([\d,]+) GB/s +([\d,]+) MiB", text, re.MULTILINE)
    return found and tuple(int(one.replace(",", "")) for one in found.groups())


def check(args):
    failed = []
    if args.lint:
        if figures_of_gpu(args.lint) != (DRAM_GBS, L2_MIB):
            failed.append(f"{evidence.GPU} has {figures_of_gpu(args.lint)} GB/s of DRAM and MiB of L2, and causes are told with {(DRAM_GBS, L2_MIB)}")
        times, then = own_times(), recorded()["own"]
        for name, rows_of in own(args).items():
            for launch, row in rows_of.items():
                if row != then.get(name, {}).get(launch):
                    failed.append(f"{name}: {launch}: {row}, recorded is {then.get(name, {}).get(launch)}; `tests/floors/public.py own --lint ...` accepts the change")
                if row["floor_ns"] > times.get((name, launch), math.inf):
                    failed.append(f"{name}: {launch}: floor {row['floor_ns']} ns is above the {times[name, launch]} ns that were measured")
        if not times or any(not rows_of for rows_of in then.values()):
            failed.append("nothing is predicted, or measured, of the project's own programs")
    for kind in ("source", "compiled"):
        for row in rows(kind):
            if evidence.share(row) > 1:
                failed.append(f"{row.program}: {row.kernel}: floor {row.floor_ns} ns ({row.binding}) is above the {row.measured['ns']} ns that were measured ({kind})")
            if row.instructions > row.measured["instructions"]:
                failed.append(f"{row.program}: {row.kernel}: {row.instructions} instructions are more than the {row.measured['instructions']} that were counted")
        if figures(rows(kind)) != recorded()["figures"].get(kind):
            failed.append(f"figures of {kind} are {figures(rows(kind))}, recorded are {recorded()['figures'].get(kind)}")
    print("\n".join(failed) or json.dumps(recorded()["figures"]))
    return 1 if failed else 0


def cause(row):
    """Why a floor is not TIGHT, by what was measured."""
    group, percent = evidence.highest(row)
    measured, share = row.measured, evidence.share(row)
    if share >= AS_GOOD_AS_ALL * percent / 100:
        return "that unit has no more to do"
    if group == "DRAM" or (group == "L2" and measured["dram"] >= DRAM_BUSY):
        moved = measured["dram"] / 100 * measured["ns"] * DRAM_GBS
        if share >= OF_BYTES * max(moved - 2 * (L2_MIB << 20), 0) / DRAM_GBS / measured["ns"]:
            return "what L2 may hold before and after"
        return "bytes that are not counted"
    if group == "L2":
        return "traffic of L2 beside distinct bytes and stores"
    if row.instructions < AS_GOOD_AS_ALL * measured["instructions"]:
        return "code that data lead to, or calls"
    return "accesses that data lead to" if group == "L1" else "pipes that are not modelled"


def causes(_):
    below = [row for row in evidence.with_work(rows("compiled")) if evidence.share(row) < TIGHT]
    counts = collections.Counter(map(cause, below))
    print(f"Of the launches of which Nsight Compute shows a unit above 60%, {len(below)} have a floor below {TIGHT} of the time:\n")
    print("| cause | launches |\n|---|---:|")
    for what, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        print(f"| {what} | {count} |")
    print("\n| launch | highest unit | floor / measured | binding unit | instructions counted | cause |\n|---|---|---:|---|---:|---|")
    for row in sorted(below, key=lambda row: (-counts[cause(row)], cause(row), evidence.share(row), row.kernel)):
        group, percent = evidence.highest(row)
        print(f"| `{row.program}: {row.kernel}` | {group}, {percent:.0f}% | {evidence.share(row):.2f} | `{row.binding}` | {row.instructions / max(row.measured['instructions'], 1):.0%} | {cause(row)} |")
    return 0


def update_own(args):
    then = PREDICTED.read_text(encoding="utf-8")
    begin, end = then.index('"own": '), then.index(',\n"predicted"')
    PREDICTED.write_text(then[:begin] + '"own": ' + json.dumps(own(args), indent=1) + then[end:], encoding="utf-8")
    return 0


def show(_):
    for kind in ("source", "compiled"):
        f = figures(rows(kind))
        what = "From source" if kind == "source" else f"With the machine code of {sum(row.compiled for row in rows(kind))} and the source of the others"
        print(f"{what}: of {f['launches']} launches of {len({row.program for row in rows(kind)})} programs **{f['floor_above_measured']} have a floor above the time**. Nsight Compute shows a unit above 60% of its peak for {f['busy']}: "
              f"the binding unit is the one that it shows highest in {f['busy_same_unit']} ({f['busy_same_unit'] / max(f['busy'], 1):.0%}), the floor is at least 0.8 of the time in {f['busy_tight']} ({f['busy_tight'] / max(f['busy'], 1):.0%}), "
              f"and in {f['above_80_tight']} of the {f['above_80']} where that unit is above 80%.\n")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["record", "update", "own", "check", "show", "causes"])
    parser.add_argument("--ncu", type=pathlib.Path)
    parser.add_argument("--gpu", default="NVIDIA H100 80GB HBM3")
    parser.add_argument("--driver", default="")
    parser.add_argument("--version", default="")
    parser.add_argument("--date", default="")
    parser.add_argument("--lint", default="")
    parser.add_argument("--list", type=pathlib.Path, default=evidence.ROOT / "tests/floors/public_programs.json")
    parser.add_argument("--sources", type=pathlib.Path)
    parser.add_argument("--recordings", type=pathlib.Path)
    parser.add_argument("--listings", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--missing", action="store_true", help="only programs that there are no predictions of")
    parser.add_argument("--seconds", type=float, default=60)
    args = parser.parse_args()
    if args.command in ("update", "own") and not args.lint:
        parser.error(f"{args.command} needs --lint")
    needed = {"record": ["ncu"], "update": ["sources", "recordings"]}.get(args.command, [])
    if missing := [f"--{name}" for name in needed if getattr(args, name) is None]:
        parser.error(f"{args.command} needs {', '.join(missing)}")
    if os.sep in args.lint:
        args.lint = str(pathlib.Path(args.lint).resolve())
    return {"record": record, "update": update, "own": update_own, "check": check, "show": show, "causes": causes}[args.command](args)


if __name__ == "__main__":
    sys.exit(main())
