#!/usr/bin/env python3
"""Tables out of the figures that tests/public/sweep.py wrote.

    docs/tools/sweep.py summary | repositories | failures | libraries
"""
import collections
import json
import pathlib
import sys

FIGURES = pathlib.Path(__file__).resolve().parents[2] / "tests" / "public" / "sweep_figures.json"


def percent(part, whole):
    return f"{100 * part / whole:.1f}%" if whole else "-"


def outcome(figures, name):
    return figures["summary"]["outcomes"].get(name, 0)


def summary(figures):
    s, machine = figures["summary"], figures["machine"]
    compiled, rows = s["compiled_by_nvcc"], s["rows"]
    complete, in_part = s["complete_of_these"], s["in_part_of_these"]
    every = sum(rows.values())
    print("| | figure | goal |\n|---|---:|---:|")
    print(f"| repositories, files | {s['repositories']}, {s['files']:,} | 49, 616 |")
    print(f"| files with a kernel that a report of exit code 0 or 1 does not mention | {s['silent']} | 0 |")
    print(f"| contradictions between an assumed launch and its host code | {s['contradictory']} | 0 |")
    print(f"| assumed launches in which the kernel leaves an array | {s['assumed_out_of_bounds']} of {s['launches_assumed']:,} | 0 |")
    print(f"| ends by a signal; internal errors | {s['signals']}; {s['internal_errors']} | 0; 0 |")
    print(f"| files above {s['limit_s']} s | {s['above_limit']} | 0 |")
    print(f"| most memory; files above 1 GiB (of these: for which Clang alone takes as much) | {s['most_mib']:,} MiB; {s['above_1_gib']} ({s['of_these_clang_alone']}) | 1,024 MiB; 0 |")
    if compiled:
        some = s["compiled_to_kernels"]
        print(f"| files that nvcc 13.0 makes a kernel of, analysed | {some['complete'] + some['in part']} of {some['files']}: {percent(some['complete'] + some['in part'], some['files'])} | 99% |")
        print(f"| ... of these to the end; in part, and said so | {some['complete']}; {some['in part']} | |")
        print(f"| files that nvcc compiles, kernel or not, analysed | {complete + in_part} of {compiled}: {percent(complete + in_part, compiled)} | |")
    print(f"| of all files: analysed to the end; in part; refused | {outcome(figures, 'complete')}; {outcome(figures, 'in part')}; {outcome(figures, 'refused')} | |")
    o = s["over_clang"]
    print(f"| CPU time over Clang's ({o['files']} files; device IR at `-O3`, same headers): 50th, 95th, 99th percentile | {o['p50']}, {o['p95']}, {o['p99']} | 3 at the 99th |")
    print(f"| CPU seconds a file: 50th, 95th, 99th percentile | {s['seconds']['p50']}, {s['seconds']['p95']}, {s['seconds']['p99']} | |")
    print(f"| launches: from host code; assumed | {s['launches_from_host_code']:,}; {s['launches_assumed']:,} | |")
    print(f"| rows: exact; assumed; unknown | {rows['exact']:,}; {rows['assumed']:,}; {rows['unknown']:,} ({percent(rows['unknown'], every)}) | |")
    print(f"\n{machine['date']}, {machine['smem_lint']}, {machine['cores']} cores of {machine['processor']}; seed {figures['seed']}.")


def repositories(figures):
    groups = collections.defaultdict(list)
    for row in figures["files"]:
        groups[row["repository"]].append(row)
    print("| repository | files | nvcc compiles | analysed | refused | launches | from host code | exact | assumed | unknown |\n|---|" + "---:|" * 9)
    for name, rows in sorted(groups.items(), key=lambda item: item[0].lower()):
        counts = [len(rows), sum(r.get("nvcc") == "compiles" for r in rows), sum(r["outcome"] in ("complete", "in part") for r in rows), sum(r["outcome"] == "refused" for r in rows),
                  sum(r.get("launches", 0) for r in rows), sum(r.get("host_code", 0) for r in rows)]
        counts += [sum(r.get("rows", {}).get(v, 0) for r in rows) for v in ("exact", "assumed", "unknown")]
        print(f"| {name} | " + " | ".join(f"{count:,}" for count in counts) + " |")


def failures(figures):
    """What the goals do not allow, file by file."""
    found = []
    for row in figures["files"]:
        where = f"`{row['repository']}/{row['path']}`"
        if row["outcome"] in ("signal", "internal error", "no end") or row.get("nvcc") == "compiles" and row["outcome"] == "refused":
            found.append(f"{where}: {row['outcome']}, {row.get('reason', '')}" + ("" if row.get("nvcc_kernels") else " (nvcc makes no kernel of it either)"))
        if row["outcome"] != "no end" and row["wall"] > figures["summary"]["limit_s"]:
            found.append(f"{where}: {row['wall']:.0f} s")
        if row["mib"] > 1024:
            found.append(f"{where}: {row['mib']:,} MiB")
        if row.get("silent"):
            found.append(f"{where}: silent about {', '.join(f'`{name}`' for name in row['silent'])}")
        if row.get("out_of_bounds"):
            found.append(f"{where}: leaves an array in {row['out_of_bounds']} assumed launches")
        found += [f"{where}: {text.split(': ', 1)[-1]}" for text in row.get("contradictions", [])]
    print("\n".join(f"- {line}" for line in found) or "None.")


def libraries(figures):
    s = figures["summary"]["libraries"]
    print(f"{s['files']} files without a `main`: {s['rows']['exact']:,} exact, {s['rows']['assumed']:,} assumed and {s['rows']['unknown']:,} unknown rows.")


VIEWS = {"summary": summary, "repositories": repositories, "failures": failures, "libraries": libraries}
if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in VIEWS:
        sys.exit(__doc__)
    VIEWS[sys.argv[1]](json.loads(FIGURES.read_text(encoding="utf-8")))
