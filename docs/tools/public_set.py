#!/usr/bin/env python3
"""The tables of docs/public-set.md, out of the figures that tests/public/evaluate.py wrote."""
import collections
import json
import pathlib
import sys

FIGURES = pathlib.Path(__file__).resolve().parents[2] / "tests" / "public" / "figures.json"


def percent(part, whole):
    return f"{100 * part / whole:.1f}%" if whole else "-"


def summary(figures):
    s, machine = figures["summary"], figures["machine"]
    speed = figures.get("speed")
    print("| | figure | goal |\n|---|---:|---:|")
    print(f"| files that nvcc 13.0 compiles, analysed to the end | {s['analysed_of_these']:,} of {s['compiled_by_nvcc']:,}: "
          f"{percent(s['analysed_of_these'], s['compiled_by_nvcc'])} | 98% |")
    print(f"| crashes, hangs | {s['crashes']}, {s['hangs']} | 0, 0 |")
    print(f"| launches in files with a `main` whose grid and block host code gives | {s['inferred']:,} of {s['launches_in_files_with_main']:,}: "
          f"{percent(s['inferred'], s['launches_in_files_with_main'])} | 80% |")
    c = s["compiled"]
    print(f"| the same, in files that nvcc 13.0 compiles | {c['inferred']:,} of {c['launches_in_files_with_main']:,}: "
          f"{percent(c['inferred'], c['launches_in_files_with_main'])} | |")
    print(f"| launches whose block at least it gives: of all; in files that nvcc 13.0 compiles | {percent(s['block'], s['launches_in_files_with_main'])}; "
          f"{percent(c['block'], c['launches_in_files_with_main'])} | |")
    print(f"| CPU seconds a file: median, 95th percentile, largest | {s['seconds']['median']:.2f}, {s['seconds']['p95']:.1f}, {s['seconds']['max']:.0f} | |")
    if speed:
        print(f"| CPU time over Clang's (device IR at `-O3`, same headers; {speed['files']} files that nvcc compiles): median, 95th percentile | {speed['time']['median']:.2f}, {speed['time']['p95']:.2f} | 1.3, 2 |")
        print(f"| peak memory over Clang's: median, 95th percentile | {speed['memory']['median']:.2f}, {speed['memory']['p95']:.2f} | 1.5 |")
    print(f"\n{machine['date']}, {machine['smem_lint']}, headers of {machine['headers']}, {machine['cores']} cores of {machine['processor']}.")


def repositories(figures):
    groups = collections.defaultdict(list)
    for row in figures["files"]:
        groups[row["repository"]].append(row)
    print("| repository | files | nvcc compiles | of these analysed | of the others | launches | inferred | exact | assumed | unknown |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, rows in sorted(groups.items()):
        compiled = [r for r in rows if r["nvcc"] == "compiles"]
        others = [r for r in rows if r["nvcc"] != "compiles"]
        analysed = [r for r in rows if r["outcome"] == "analysed"]
        main = [r for r in analysed if r["main"]]
        counts = [len(rows), len(compiled), sum(r["outcome"] == "analysed" for r in compiled), sum(r["outcome"] == "analysed" for r in others),
                  sum(r["launches"] for r in main), sum(r["inferred"] for r in main)]
        counts += [sum(r["verdicts"][v] for r in analysed) for v in ("exact", "assumed", "unknown")]
        print(f"| {name} | " + " | ".join(f"{count:,}" for count in counts) + " |")


def failures(figures):
    rows = [r for r in figures["files"] if r["nvcc"] == "compiles" and r["outcome"] != "analysed"]
    for row in rows:
        print(f"- `{row['repository']}/{row['path']}`: {row['outcome']}, {row['reason']}")
    if not rows:
        print("None.")


{"summary": summary, "repositories": repositories, "failures": failures}[sys.argv[1]](json.loads(FIGURES.read_text()))
