#!/usr/bin/env python3
"""Tables out of the figures that tests/public/compiled.py wrote.

    docs/tools/compiled.py verdicts | classes | line
"""
import json
import pathlib
import sys

FIGURES = pathlib.Path(__file__).resolve().parents[2] / "tests" / "public" / "compiled_figures.json"
HALVES = {"judges": "judges, not looked into", "learns": "to learn from"}
LEAST = 30  # rows of which a class is listed


def precision(right, wrong):
    return f"{100 * right / (right + wrong):.2f}%" if right + wrong else "-"


def verdicts(figures):
    print("| half | files | rows | right | wrong | open | right of those compared |\n|---|---:|---|---:|---:|---:|---:|")
    for half, name in HALVES.items():
        for verdict in ("exact", "assumed"):
            right, wrong, left = figures[half]["verdicts"].get(verdict, (0, 0, 0))
            print(f"| {name} | {figures[half]['files']} | `{verdict}` | {right:,} | {wrong:,} | {left:,} | {precision(right, wrong)} |")
    print(f"\n{figures['compared']:,} files of {figures['repositories']} repositories, {figures['kernels']:,} kernels; nvcc 13.0, `-arch=sm_90 -O3`; {figures['date']}.")


def classes(figures):
    print("| what the row rests on beside the launch | judged: right | wrong | | to learn from: right | wrong | |\n|---|---:|---:|---:|---:|---:|---:|")
    halves = [figures[half]["classes"] for half in HALVES]
    names = sorted({name for half in halves for name in half if name != "unknown"}, key=lambda name: -sum(sum(half.get(name, (0, 0, 0))[:2]) for half in halves))
    for name in names:
        cells = [half.get(name, (0, 0, 0)) for half in halves]
        if sum(right + wrong for right, wrong, _ in cells) >= LEAST:
            said = "nothing" if name == "none" else name.replace("+", ", ")
            print(f"| {said} | " + " | ".join(f"{right:,} | {wrong:,} | {precision(right, wrong)}" for right, wrong, _ in cells) + " |")


def line(figures):
    right, wrong, _ = figures["judges"]["verdicts"].get("exact", (0, 0, 0))
    print(f"- **Against nvcc's machine code**, {figures['kernels']:,} kernels of {figures['repositories']} public repositories, in the half that is not looked into: "
          f"{right:,} of {right + wrong:,} rows claimed exact are right ([how](docs/compiled-figures.md)).")


if __name__ == "__main__":
    {"verdicts": verdicts, "classes": classes, "line": line}[sys.argv[1]](json.loads(FIGURES.read_text()))
