#!/usr/bin/env python3
"""Tables out of the figures that tests/public/patterns.py wrote.

    docs/tools/patterns.py repositories | reasons | line | screen | project | first_look
"""
import json
import pathlib
import sys

FIGURES = pathlib.Path(__file__).resolve().parents[2] / "tests" / "public" / "patterns_figures.json"
SCREEN = FIGURES.with_name("first_screen_figures.json")
PROJECT = FIGURES.with_name("project_figures.json")
FIRST_LOOK = FIGURES.with_name("first_look_figures.json")
SCREEN_LINES = 40
SPACES = ("shared", "global")


def percent(part, whole):
    return f"{100 * part / whole:.1f}%" if whole else "-"


def cells(sums):
    for space in SPACES:
        one = sums[space]
        claimed = one["always"] + one["cases"]
        yield f"{claimed + one['unknown']:,}"
        yield percent(claimed, claimed + one["unknown"])
        yield percent(one["bounded"], claimed)


def repositories(summary, figures):
    print("| code base | files with kernels | shared sites | with a claim | of these bounded in a case | global sites | with a claim | of these bounded in a case |")
    print("|---|" + "---:|" * 7)
    for name, own in sorted(summary["repositories"].items(), key=lambda item: item[0].lower()):
        print(f"| {name} | {own['files']} | " + " | ".join(cells(own)) + " |")
    print(f"| all | {summary['with_kernels']} | " + " | ".join(cells(summary["all"])) + " |")
    print(f"\n{summary['kernels']:,} kernels; {summary['checked']:,} claims about requests checked in {figures['rounds']} launches of each kernel at random values, {summary['contradicted']} contradicted. "
          f"{figures['date']}, seed {figures['seed']}.")


def reasons(summary, figures):
    print("| | sites | reason |\n|---|---:|---|")
    for one in summary["reasons"][:15]:
        print(f"| {one['space']} | {one['sites']} | {one['reason']} |")


def line(summary, figures):
    shares = " and ".join(f"{list(cells(summary['all']))[i]} of {list(cells(summary['all']))[i - 1]} {space} sites" for i, space in ((1, "shared"), (4, "global")))
    print(f"- **Of all launches at once**, from the source of {len(summary['repositories'])} code bases alone: {shares} have a claim that needs no size, for all launches or by cases "
          f"([what it is](docs/all-launches.md)); {summary['checked']:,} were checked at random values, {summary['contradicted']} contradicted.")


def screen(_, __):
    s = json.loads(SCREEN.read_text())["summary"]
    clang = s["over_clang"]
    print("| | figure | goal |\n|---|---:|---:|")
    print(f"| files with a kernel that is analysed to the end | {s['with_kernels']} of {s['files']} | |")
    print(f"| lines of output: median; 95th percentile; most | {s['lines']['p50']}; {s['lines']['p95']}; {s['lines']['max']} | 40 |")
    print(f"| notes among the lines | {100 * s['note_share']:.1f}% | 20% |")
    print(f"| warnings; files with one below the first {SCREEN_LINES} lines | {s['warnings']}; {s['files_with_warnings_off_screen']} | 0 |")
    print(f"| CPU time over Clang's ({clang['files']} files; device IR at `-O3`, same headers): median; 95th percentile; most | {clang['p50']}; {clang['p95']}; {clang['max']} | 3 at the 95th |")
    print(f"| CPU seconds: median; 95th percentile; most; files above 30 | {s['seconds']['p50']}; {s['seconds']['p95']}; {s['seconds']['max']}; {s['above_30_s']} | 0 |")
    print(f"| most memory; files above 1 GiB | {s['mib']:,} MiB; {s['above_1_gib']} | 0 |")


def project(_, __):
    f = json.loads(PROJECT.read_text())
    print(f"| {f['repository']}, `{f['under']}`: {f['units']} units, {f['kernels']:,} kernels, `-j{f['jobs']}` | figure | goal |\n|---|---:|---:|")
    print(f"| kernels of which a launch was found in host code, of any unit | {percent(f['launched'], f['kernels'])} | 80% |")
    print(f"| cold: CPU seconds, over Clang's {f['clang']:,.0f} (device IR at `-O3`, same headers) | {f['cold']['cpu']:,.0f}, {f['cold_over_clang']} | 1.2 |")
    print(f"| warm: seconds | {f['warm']['wall']} | 2 |")
    print(f"| `{f['changed']['unit']}` changed: seconds, over those of this unit by itself | {f['changed']['wall']}, {f['changed']['wall'] / f['alone']['wall']:.2f} | 1.3 |")


def first_look(_, __):
    f = json.loads(FIRST_LOOK.read_text())
    print("| | before | after |\n|---|---:|---:|")
    before, after = f["before"], f["after"]
    print(f"| files that are analysed to the end, of {f['files']} | {before['to_the_end']} | {after['to_the_end']} |")
    print(f"| lines of output: median; most | {before['lines']['p50']}; {before['lines']['max']} | {after['lines']['p50']}; {after['lines']['max']} |")
    for i, space in enumerate(SPACES):
        texts = [list(cells(one)) for one in (before["sites"], after["sites"])]
        print(f"| {space} sites; with a claim; of these bounded in a case | " + " | ".join("; ".join(text[3 * i:3 * i + 3]) for text in texts) + " |")
    print(f"| claims checked in {f['rounds']} launches at random values; contradicted | " +
          " | ".join(f"{one['checked']:,}; {one['contradicted']}" for one in (before, after)) + " |")
    print(f"| CPU seconds of the check | {before['cpu']:,.0f} | {after['cpu']:,.0f} |")
    print(f"\n{f['date']}, seed {f['seed']}; " + ", ".join(f"{name} ({count})" for name, count in sorted(f["repositories"].items(), key=lambda one: one[0].lower())) + ".")


if __name__ == "__main__":
    figures = json.loads(FIGURES.read_text())
    {"repositories": repositories, "reasons": reasons, "line": line, "screen": screen, "project": project, "first_look": first_look}[sys.argv[1]](figures["summary"], figures)
