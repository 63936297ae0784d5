#!/usr/bin/env python3
"""What floors say beside how fast they are below: gains of fixes, and the unit that binds, against what was measured on an H100.

    tests/floors/evidence.py check --lint build/bin/smem-lint      exit code 1 if what is predicted is not what tests/floors/evidence.json has, or is wrong
    tests/floors/evidence.py update --lint build/bin/smem-lint     records what is predicted
    tests/floors/evidence.py gains|units                           what is recorded, for documentation

A pair is a kernel before and after its conflicts are gone (validate/recorded/gains-h100.json); the prediction comes from the source before alone. Units are
those of Nsight Compute (validate/recorded/units-h100.json). `check` analyses the larger programs of the pairs, `update` all.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = ROOT / "validate/recorded"
FIGURES = ROOT / "tests/floors/evidence.json"
GPU = "h100"
SHARED, L1 = "l1tex__data_pipe_lsu_wavefronts_mem_shared", "l1tex__data_pipe_lsu_wavefronts"
# What Nsight Compute's throughput has one figure for.
GROUPS = {SHARED: "L1", L1: "L1", "l1tex__t_output_wavefronts": "L1", "dram__bytes": "DRAM", "sm__inst_executed_pipe_fma": "SM",
          "sm__inst_executed_pipe_fp64": "SM", "sm__inst_executed_pipe_xu": "SM", "sm__inst_issued": "SM", "lts__t_sectors_op_write": "L2",
          "lts__t_sectors_op_read": "L2", "sm__inst_executed_pipe_alu": "SM", "sm__inst_executed_pipe_fmaheavy": "SM", "sm__inst_executed_pipe_lsu": "SM", "sm__inst_executed_pipe_tensor": "SM"}
GAIN = 1.05      # "5% faster"
SHORTEST = 2000  # ns: of launches that take less, the gaps between them are a part of the time

Pair = collections.namedtuple("Pair", "program kernel defines measured floor_ns bound lower most")
Unit = collections.namedtuple("Unit", "program kernel defines measured floor_ns binding fp32 fp64 bound")


def load(name):
    return json.loads((RECORDED / f"{name}-h100.json").read_text(encoding="utf-8"))


def key(launch):
    return launch["kernel"].replace(" ", ""), tuple(launch["grid"]), tuple(launch["block"])


def analysed(lint, program, defines):
    command = [lint, "--cuda-path=none", f"--gpu={GPU}", "--quiet", "--format=json", "--fail-on=never", program, "--", *(f"-D{name}={value}" for name, value in defines.items())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def analysed_all(lint, wanted):
    """By (program, macros)."""
    wanted = sorted({(one["program"], tuple(sorted(one["defines"].items()))) for one in wanted})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(wanted, pool.map(lambda one: analysed(lint, one[0], dict(one[1])), wanted)))


def without_conflicts(report, number):
    """Floor of the launch, how many times as low it becomes without its conflicts, and the bound on how many times as fast the launch."""
    launch = report["launches"][number]
    floor = launch["floor"]
    excess = sum(instance["traffic"]["actual"] - instance["traffic"]["ideal"] for finding in report["findings"] for instance in finding["instances"]
                 if instance["launch"] == number and instance["traffic"] and instance["traffic"]["unit"] == "wavefronts")
    blocks = math.prod(launch["grid"])
    saved = excess / blocks * floor["blocks_of_busiest_sm"]  # cycles of the busiest SM
    cycles = {r["resource"]: r["cycles"] for r in floor["resources"]}
    mhz = max((r["cycles"] / r["ns"] for r in floor["resources"] if r["ns"]), default=1)  # GHz
    left = max(c - saved if resource in (SHARED, L1) else c for resource, c in cycles.items())
    if left <= 0 or floor["ns"] == 0:
        return floor, 1.0, math.inf
    each = 1.25 if floor["warps_per_sm"] >= 4 else 2.5
    return floor, floor["ns"] * mhz / left, 1 + each * saved / left


def predictions(reports):
    """By program and macros: by launch what is predicted, of both records."""
    found = {}
    for kind, rows in (("gains", "pairs"), ("units", "launches")):
        for program in load(kind)["programs"]:
            report = reports.get((program["program"], tuple(sorted(program["defines"].items()))))
            if report is None:
                continue
            numbers = {key(launch): number for number, launch in enumerate(report["launches"])}
            all_of = found.setdefault(place(program), {})
            for measured in program[rows]:
                number = numbers.get(key(measured))
                if number is None or report["launches"][number]["floor"] is None:
                    continue
                floor, lower, most = without_conflicts(report, number)
                all_of[launch_name(measured)] = {
                    "floor_ns": floor["ns"], "bound": floor["bound_by_throughput"], "binding": floor["binding"], "lower": round(lower, 4), "most": round(most, 4) if most != math.inf else None,
                    "fp32": floor["arithmetic"]["fp32"], "fp64": floor["arithmetic"]["fp64"]}
    return found


def place(program):
    return " ".join([program["program"], *(f"{name}={value}" for name, value in sorted(program["defines"].items()))])


def launch_name(measured):
    kernel, grid, block = key(measured)
    return f"{kernel} {'x'.join(map(str, grid))} {'x'.join(map(str, block))}"


def pairs(predicted):
    return [Pair(program["program"], measured["kernel"], program["defines"], measured, row["floor_ns"], row["bound"], row["lower"], row["most"] or math.inf)
            for program in load("gains")["programs"] for measured in program["pairs"]
            for row in [predicted.get(place(program), {}).get(launch_name(measured))] if row and measured["after_wavefronts"] <= measured["before_wavefronts"]]


def units(predicted):
    return [Unit(program["program"], measured["kernel"], program["defines"], measured, row["floor_ns"], row["binding"], row["fp32"], row["fp64"], row["bound"])
            for program in load("units")["programs"] for measured in program["launches"]
            for row in [predicted.get(place(program), {}).get(launch_name(measured))] if row]


def gained(pair):
    return pair.measured["before_ns"] / pair.measured["after_ns"]


def worth_timing(found):
    return [pair for pair in found if pair.measured["after_ns"] >= SHORTEST and pair.bound is not False]


def highest(unit):
    """What Nsight Compute shows highest, and how high."""
    m = unit.measured
    memory = {"L2": m["l2"], "DRAM": m["dram"]}
    if m["memory"] > max(memory.values()) + 0.5:  # the largest of the units of memory, of which L1 is the third
        memory["L1"] = m["memory"]
    return max({**memory, "SM": m["sm"]}.items(), key=lambda one: one[1])


def with_work(found):
    """Launches of which Nsight Compute shows a unit above 60% of its peak."""
    return [unit for unit in found if highest(unit)[1] >= 60]


def says_gain(pair):
    return pair.lower >= GAIN


def right(pair):
    return says_gain(pair) == (gained(pair) >= GAIN)


def share(unit):
    return unit.floor_ns / unit.measured["ns"]


def same_unit(unit):
    return GROUPS[unit.binding] == highest(unit)[0]


def figures(all_pairs, all_units):
    timed, busy = worth_timing(all_pairs), with_work(all_units)
    return {
        "pairs": len(all_pairs),
        "timed_pairs": len(timed),
        "bound_below_gain": sum(pair.most < gained(pair) for pair in timed),
        "gain_said_right": sum(map(right, timed)),
        "units": len(all_units),
        "floor_above_measured": sum(share(unit) > 1 for unit in all_units),
        "busy": len(busy),
        "busy_same_unit": sum(map(same_unit, busy)),
        "busy_tight": sum(share(unit) >= 0.8 for unit in busy),
        "above_80": sum(highest(unit)[1] >= 80 for unit in busy),
        "above_80_tight": sum(highest(unit)[1] >= 80 and share(unit) >= 0.8 for unit in busy),
        "busy_median_share": round(statistics.median(map(share, busy)), 3) if busy else None,
        "fp32_above_counted": sum(32 * unit.fp32 > unit.measured["fp32"] for unit in all_units),
        "fp64_above_counted": sum(32 * unit.fp64 > unit.measured["fp64"] for unit in all_units),
    }


def recorded():
    return json.loads(FIGURES.read_text(encoding="utf-8"))


def text_of(predicted):
    programs = [f'{json.dumps(name)}: {{\n' + ",\n".join(f"  {json.dumps(launch)}: {json.dumps(row)}" for launch, row in rows.items()) + "}" for name, rows in sorted(predicted.items())]
    return '{"figures": ' + json.dumps(figures(pairs(predicted), units(predicted))) + ',\n"predicted": {\n' + ",\n".join(programs) + "}}\n"


def wrong(all_pairs, all_units):
    """What no prediction may be."""
    for pair in worth_timing(all_pairs):
        if pair.most < gained(pair):
            yield f"{pair.program}: {pair.kernel} {pair.defines}: gains {gained(pair):.2f}x, and {pair.most:.2f}x was said to be the most"
    for unit in all_units:
        if share(unit) > 1:
            yield f"{unit.program}: {unit.kernel} {unit.defines}: floor {unit.floor_ns} ns ({unit.binding}) is above the {unit.measured['ns']} ns that were measured"
        for what, instructions in (("fp32", unit.fp32), ("fp64", unit.fp64)):
            if instructions > unit.measured[what]:  # each has a lane at least
                yield f"{unit.program}: {unit.kernel} {unit.defines}: {instructions} instructions of {what} are more than the {unit.measured[what]} of threads that were counted"


def check(args):
    wanted = load("gains")["programs"]
    if args.command == "update":
        wanted += load("units")["programs"]
    else:  # those whose launches have enough work
        wanted = [program for program in wanted if program["defines"] or program["program"].startswith("validate/gains/")]
    predicted = predictions(analysed_all(args.lint, wanted))
    failed = list(wrong(pairs(predicted), units(predicted)))
    if args.command == "update":
        FIGURES.write_text(text_of(predicted), encoding="utf-8")
    then = recorded()
    for name, rows in predicted.items():
        for launch, row in rows.items():
            if then["predicted"].get(name, {}).get(launch) != row:
                failed.append(f"{name}: {launch}: {row}, recorded is {then['predicted'].get(name, {}).get(launch)}; `tests/floors/evidence.py update --lint ...` accepts the change")
    print("\n".join(failed) or json.dumps(then["figures"]))
    return 1 if failed else 0


def name(one):
    size = ", ".join(str(value) for value in one.defines.values())
    return f"[`{one.kernel}`](../{one.program})" + (f" {size}" if size else "")


def show_gains():
    predicted = recorded()["predicted"]
    all_pairs = pairs(predicted)
    f = figures(all_pairs, units(predicted))
    timed = worth_timing(all_pairs)
    print(f"Of {f['pairs']} kernels before and after their conflicts are gone, {f['timed_pairs']} take 2 µs or more afterwards and are not said to wait for something else. The measured gain is above the "
          f"bound in **{f['bound_below_gain']}** of these; that the gain is at least 5% is said right in {f['gain_said_right']} ({f['gain_said_right'] / f['timed_pairs']:.0%}), by whether the floor falls as much.\n")
    print("| kernel | before, µs | after, µs | gained | floor falls by | at most |")
    print("|---|---:|---:|---:|---:|---:|")
    for pair in sorted(timed, key=lambda pair: -gained(pair)):
        print(f"| {name(pair)} | {pair.measured['before_ns'] / 1000:,.1f} | {pair.measured['after_ns'] / 1000:,.1f} | {gained(pair):.2f}× | {pair.lower:.2f}× | {pair.most:.2f}× |")
    return 0


def show_units():
    all_units = units(recorded()["predicted"])
    busy = with_work(all_units)
    same, tight = sum(map(same_unit, busy)), sum(share(unit) >= 0.8 for unit in busy)
    print(f"Of {len(all_units)} launches, Nsight Compute shows a unit above 60% of its peak for {len(busy)}: the binding unit is the one that it shows highest in {same} ({same / len(busy):.0%}), the floor is at "
          f"least 0.8 of the time in {tight} ({tight / len(busy):.0%}). A floor that counts all that a unit does is the part of the time for which it is busy: above 0.8 in {figures([], all_units)['above_80']} of them, "
          f"of which the floor is at least 0.8 in {figures([], all_units)['above_80_tight']}.\n")
    print("| launch | floor, µs | measured, µs | floor / measured | binding unit | highest unit |")
    print("|---|---:|---:|---:|---|---|")
    for unit in sorted(busy, key=lambda unit: (same_unit(unit), -share(unit))):
        group, percent = highest(unit)
        print(f"| {name(unit)} | {unit.floor_ns / 1000:,.1f} | {unit.measured['ns'] / 1000:,.1f} | {share(unit):.2f} | `{unit.binding}` | {group}, {percent:.0f}% |")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "update", "gains", "units"])
    parser.add_argument("--lint", default="smem-lint")
    args = parser.parse_args()
    if args.command in ("gains", "units"):
        return {"gains": show_gains, "units": show_units}[args.command]()
    if os.sep in args.lint:
        args.lint = str(pathlib.Path(args.lint).resolve())
    return check(args)


if __name__ == "__main__":
    sys.exit(main())
