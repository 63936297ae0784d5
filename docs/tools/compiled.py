#!/usr/bin/env python3
"""Tables out of the figures that tests/public/compiled.py wrote.

    docs/tools/compiled.py verdicts | classes | claims | line
    docs/tools/compiled.py calibration > analyzer/nvcc/rules/calibration.def
"""
import json
import pathlib
import sys

FIGURES = pathlib.Path(__file__).resolve().parents[2] / "tests" / "public" / "compiled_figures.json"
HALVES = {"judges": "judges, not looked into", "learns": "to learn from"}
LEAST = 30  # rows of which a class is listed
PRECISION, LEAST_CLAIMED = 0.999, 300  # as in analyzer/nvcc/rules/calibration.h


def precision(right, wrong):
    return f"{100 * right / (right + wrong):.2f}%" if right + wrong else "-"


def verdicts(figures):
    print("| half | files | rows | right | wrong | open | right of those compared |\n|---|---:|---|---:|---:|---:|---:|")
    for half, name in HALVES.items():
        for verdict in ("exact", "assumed"):
            right, wrong, left = figures[half]["verdicts"].get(verdict, (0, 0, 0))
            print(f"| {name} | {figures[half]['files']} | `{verdict}` | {right:,} | {wrong:,} | {left:,} | {precision(right, wrong)} |")
    print(f"\n{figures['compared']:,} files of {figures['repositories']} repositories, {figures['kernels']:,} kernels; nvcc 13.0, `-arch=sm_90 -O3`; {figures['date']}.")
    if again := figures.get("judged_again"):
        print(f"The half that judges again on {again['date']}: {again['compared']:,} files of {again['repositories']} repositories, {again['kernels']:,} kernels.")


def classes(figures):
    print("| what the row rests on beside the launch | judged: right | wrong | | to learn from: right | wrong | |\n|---|---:|---:|---:|---:|---:|---:|")
    halves = [figures[half]["classes"] for half in HALVES]
    names = sorted({name for half in halves for name in half if name != "unknown"}, key=lambda name: (-sum(sum(half.get(name, (0, 0, 0))[:2]) for half in halves), name))
    for name in names:
        cells = [half.get(name, (0, 0, 0)) for half in halves]
        if sum(right + wrong for right, wrong, _ in cells) >= LEAST:
            said = "nothing" if name == "none" else name.replace("+", ", ")
            print(f"| {said} | " + " | ".join(f"{right:,} | {wrong:,} | {precision(right, wrong)}" for right, wrong, _ in cells) + " |")


def wilson(right, rows):
    """The interval that has the share of right rows with 95% confidence."""
    share, step = right / rows, 1.96 ** 2 / rows
    half = 1.96 * (share * (1 - share) / rows + step / (4 * rows)) ** 0.5
    return (share + step / 2 - half) / (1 + step), (share + step / 2 + half) / (1 + step)


def claimable(figures):
    """Classes by the ids that rows rest on; those that rest on nothing, not even on an assumed launch, are the ones that are claimed. Of an uncertainty the half
    counts in which it is worse, if that has enough rows: it is to be none in either."""
    judged, learnt = figures["judges"], figures["learns"]["classes"]

    def worse(name, counts):
        other = learnt.get(name, (0, 0, 0))
        rows, others = sum(counts[:2]), sum(other[:2])
        return other if others >= LEAST_CLAIMED and rows and other[0] / others < counts[0] / rows else counts
    return {"": judged["verdicts"].get("exact", (0, 0, 0)), **{name: worse(name, counts) for name, counts in judged["classes"].items() if name not in ("none", "unknown")}}


def calibration(figures):
    """What the analyzer's claims follow: analyzer/nvcc/rules/calibration.h."""
    judged = figures.get("judged_again", figures)
    print(f"// Of each class the worse of both halves; that which is not looked into: {figures['judges']['files']:,} files, {judged['date']}. docs/tools/compiled.py calibration.")
    for name, (right, wrong, _) in sorted(claimable(figures).items()):
        if right + wrong:
            print(f'SMEM_CALIBRATED("{name}", {right}, {wrong})')


def claims(figures):
    """Which classes may be claimed, and what the others lack."""
    print("| rests on | rows | right | claimed |\n|---|---:|---:|---|")
    for name, (right, wrong, _) in sorted(claimable(figures).items(), key=lambda item: (-sum(item[1][:2]), item[0])):
        rows = right + wrong
        if rows < LEAST:
            continue
        enough, precise = rows >= LEAST_CLAIMED, right >= PRECISION * rows
        if name:
            said = "yes" if enough and precise else f"no: fewer than {LEAST_CLAIMED} rows" if precise else f"no: {100 * right / rows:.2f}% of {100 * PRECISION:.1f}%"
        else:
            least, most = wilson(right, rows)
            said = ("yes" if most >= PRECISION else "no") + f": between {100 * least:.2f}% and {100 * most:.2f}%"
        print(f"| {name.replace('+', ', ') or 'nothing, nor on an assumed launch'} | {rows:,} | {precision(right, wrong)} | {said} |")


def line(figures):
    right, wrong, _ = figures["judges"]["verdicts"].get("exact", (0, 0, 0))
    judged = figures.get("judged_again", figures)
    print(f"- **Against nvcc's machine code**, {judged['kernels']:,} kernels of {judged['repositories']} public repositories that are not looked into: "
          f"{right:,} of {right + wrong:,} rows claimed exact are right ([how](docs/compiled-figures.md)).")


if __name__ == "__main__":
    {"verdicts": verdicts, "classes": classes, "claims": claims, "calibration": calibration, "line": line}[sys.argv[1]](json.loads(FIGURES.read_text()))
