#!/usr/bin/env python3
"""Floors under the times of launches, against the times that were recorded on an H200.

    tests/floors/floors.py check --lint build/bin/smem-lint      exit code 1 if a floor is above a measured time, or floors are less tight than recorded
    tests/floors/floors.py update --lint build/bin/smem-lint     records how tight they are, in tests/floors/tightness.json
    tests/floors/floors.py page [--lint ...]                     for documentation

A floor above a measured time is a wrong claim: a count that is too high, or a throughput that is too low. A measured time is the fastest sample of
the launch. Launches of one kernel with one grid and block are compared with the fastest of them.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = ROOT / "validate/recorded"
RECORDS = ("timings-h200", "headline-4096-h200", "headline-8192-h200")
TIGHTNESS = ROOT / "tests/floors/tightness.json"
# Launches that are not worth a row of their own: 165 instances each, of a microsecond or two.
# Rungs of the ladders that articles climb, as kernels of one record: the order of their floors against the order of their times.
LADDERS = {
    "products, B stored (N,K)": ("headline-4096-h200", ("gemm_naive_nk", "gemm_tiled_conflict", "gemm_transposed_store", "gemm_swizzled")),
    "products, B stored (K,N)": ("headline-4096-h200", ("gemm_naive_col", "gemm_tiled", "gemm_padded_both", "gemm_double_buffered", "gemm_block_tiled_1d", "gemm_register_tiled",
                                                        "gemm_block_tiled_2d", "gemm_cp_async_multistage", "gemm_vectorized", "gemm_warp_tiled<Tile>", "gemm_wmma<40>")),
    "transposes, 4096": ("headline-4096-h200", ("transpose_strided_store", "transpose_strided_load", "transpose_tiled", "transpose_padded", "transpose_swizzled", "transpose_templated<64, 4>")),
    "transposes, 8192": ("headline-8192-h200", ("transpose_strided_store", "transpose_strided_load", "transpose_tiled", "transpose_padded", "transpose_swizzled", "transpose_templated<64, 4>")),
}
FURTHER_APART = 1.1  # times that are nearer than this have no order
FAMILIES = ("stride_table", "stride_table_store", "atomics_shared", "broadcast")

Launch = collections.namedtuple("Launch", "record program kernel grid block measured floor")


def predicted(lint, program, defines):
    """The floors of a program's launches: (kernel, grid, block) -> floors, the largest first."""
    command = [lint, "--cuda-path=none", "--gpu=h200", "--quiet", "--format=json", "--fail-on=never", f"kernels/{program}.cu", "--"]
    command += [f"-D{name}={value}" for name, value in defines.items()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()}")
    floors = collections.defaultdict(list)
    for launch in json.loads(done.stdout)["launches"]:
        floors[launch["kernel"], tuple(launch["grid"]), tuple(launch["block"])].append(launch["floor"])
    for several in floors.values():
        several.sort(key=lambda floor: -(floor["ns"] if floor else 0))
    return floors


def launches(lint):
    """Every recorded launch that smem-lint has as well, and how many it does not have."""
    wanted = []
    for name in RECORDS:
        record = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
        wanted += [(name, program, record["defines"]) for program in record["programs"] if program["outcome"] == "measured"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda one: predicted(lint, one[1]["name"], one[2]), wanted))
    found, missing = [], 0
    for (record, program, _), floors in zip(wanted, results):
        groups = collections.defaultdict(list)
        for launch in program["launches"]:
            groups[launch["kernel"], tuple(launch["grid"]), tuple(launch["block"])].append(launch)
        for key, measured in groups.items():
            if key not in floors:
                missing += len(measured)
                continue
            fastest = min(measured, key=lambda launch: launch["fastest_ns"])
            found += [Launch(record, program["name"], *key, fastest, floors[key][0])] * len(measured)
    return found, missing


def share(launch):
    return launch.floor["ns"] / launch.measured["fastest_ns"] if launch.floor else 0.0


def above(found):
    """Wrong claims."""
    return [launch for launch in found if share(launch) > 1]


def orders(all_launches):
    """Of each ladder the pairs of kernels whose times are apart, and of these those whose floors have the same order, the other one, and none."""
    found = {}
    for ladder, (record, kernels) in LADDERS.items():
        rungs = {l.kernel: l for l in all_launches if l.record == record and l.kernel in kernels and l.floor}
        counts = collections.Counter()
        for a, b in itertools.combinations(sorted(rungs), 2):
            a, b = rungs[a], rungs[b]
            slow, fast = (a, b) if a.measured["fastest_ns"] > b.measured["fastest_ns"] else (b, a)
            if slow.measured["fastest_ns"] <= FURTHER_APART * fast.measured["fastest_ns"]:
                continue
            apart = slow.floor["ns"] / fast.floor["ns"]
            counts["same" if apart > 1.001 else "other" if apart < 0.999 else "none"] += 1
        found[ladder] = {"rungs": len(rungs), "same": counts["same"], "none": counts["none"], "other": counts["other"]}
    return found


def figures(all_launches, missing):
    bound = [l for l in all_launches if l.floor and l.floor["bound_by_throughput"]]
    shares = sorted(map(share, bound))
    return {
        "launches": len(all_launches),
        "not_predicted": missing,
        "without_floor": sum(l.floor is None for l in all_launches),
        "above_measured": len(above(all_launches)),
        "bound_by_throughput": len(bound),
        "median_share": round(statistics.median(shares), 3),
        "at_least_0.8": sum(s >= 0.8 for s in shares),
        "at_least_0.5": sum(s >= 0.5 for s in shares),
        "highest_share": round(max(shares), 3),
        "orders": orders(all_launches),
    }


def check(args):
    found, missing = launches(args.lint)
    wrong = above(found)
    for l in wrong:
        print(f"{l.program}: {l.kernel} {l.grid} {l.block}: floor {l.floor['ns']} ns ({l.floor['binding']}) is above the {l.measured['fastest_ns']} ns that were measured ({l.record})")
    now = figures(found, missing)
    if args.command == "update":
        TIGHTNESS.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")
    then = json.loads(TIGHTNESS.read_text(encoding="utf-8"))
    print(json.dumps(now))
    if now != then:
        print(f"tests/floors/tightness.json has {json.dumps(then)}; `tests/floors/floors.py update --lint ...` accepts the change")
    return 1 if wrong or now != then else 0


def unit(floor):
    return {"l1tex__data_pipe_lsu_wavefronts_mem_shared": "shared memory", "l1tex__data_pipe_lsu_wavefronts": "L1", "l1tex__t_output_wavefronts": "L1 tags", "dram__bytes": "DRAM",
            "sm__inst_executed_pipe_fma": "FP32", "sm__inst_executed_pipe_fp64": "FP64", "sm__inst_executed_pipe_xu": "special functions", "sm__inst_issued": "issue slots", "lts__t_sectors_op_write": "L2 stores",
            "lts__t_sectors_op_read": "L2 reads", "sm__inst_executed_pipe_alu": "integers", "sm__inst_executed_pipe_fmaheavy": "integer products", "sm__inst_executed_pipe_lsu": "shuffles", "sm__inst_executed_pipe_tensor": "tensor cores"}[floor["binding"]]


def microseconds(ns):
    return f"{ns / 1000:,.2f}" if ns < 100_000 else f"{ns / 1000:,.0f}"


def page(args):
    found, missing = launches(args.lint)
    f = figures(found, missing)
    print(f"Of {f['launches']:,} launches recorded on an H200 (the catalogue, and its copies, matrix products and transposes at larger sizes) **{f['above_measured']} have a floor above the "
          f"time that was measured**. {f['bound_by_throughput']} of them are not said to wait for something else: of these the floor is at least 0.8 of the measured time in {f['at_least_0.8']}, "
          f"at least half of it in {f['at_least_0.5']}, {f['median_share']:.2f} of it in the median, and {f['highest_share']:.3f} of it where it is nearest. "
          f"{f['without_floor']} have no floor, {f['not_predicted']} no prediction.\n")
    rows = {}
    for l in found:
        if l.floor and l.floor["bound_by_throughput"] and l.program not in FAMILIES:
            rows[l.record, l.program, l.kernel] = l
    print("| launch | size | floor, µs | measured, µs | floor / measured | unit |")
    print("|---|---|---:|---:|---:|---|")
    for l in sorted(rows.values(), key=lambda l: (-share(l), l.program, l.kernel, l.record)):
        size = {"timings-h200": "-", "headline-4096-h200": "4096", "headline-8192-h200": "8192"}[l.record]
        print(f"| [`{l.kernel}`](../kernels/{l.program}.cu) | {size} | {microseconds(l.floor['ns'])} | {microseconds(l.measured['fastest_ns'])} | {share(l):.2f} | {unit(l.floor)} |")
    print_ladders(found)


def print_ladders(found):
    print("\nThe order of floors along the ladders of articles, against the order of the times, where these differ by more than 10%:\n")
    print("| ladder | kernels | pairs whose times differ by more than 10% | floors in the same order | equal | in the other order |")
    print("|---|---:|---:|---:|---:|---:|")
    for ladder, counts in orders(found).items():
        print(f"| {ladder} | {counts['rungs']} | {counts['same'] + counts['none'] + counts['other']} | {counts['same']} | {counts['none']} | {counts['other']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["check", "update", "page"])
    parser.add_argument("--lint", default="smem-lint")
    args = parser.parse_args()
    if os.sep in args.lint:
        args.lint = str(pathlib.Path(args.lint).resolve())
    return {"check": check, "update": check, "page": page}[args.command](args)


if __name__ == "__main__":
    sys.exit(main())
