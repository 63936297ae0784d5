#!/usr/bin/env python3
"""The table of nvcc's options in docs/compiler-flags.md, out of the list that the tests check against the translation."""
import pathlib

LIST = pathlib.Path(__file__).resolve().parents[2] / "tests" / "frontend" / "nvcc_options.txt"
MEANING = {
    "translate": "handed to Clang in its spelling, or decides the architecture",
    "drop": "of no consequence for the memory instructions of device code",
    "warn": "dropped with a warning: the figures are not those of such a build",
    "refuse": "an error: nothing is compiled",
}

groups = {treatment: [] for treatment in MEANING}
for line in LIST.read_text().splitlines():
    if line and not line.startswith("#"):
        treatment, _, *names = line.split()
        groups[treatment].append(", ".join(f"`{name}`" for name in names))
print("| | options | |\n|---|---:|---|")
for treatment, meaning in MEANING.items():
    print(f"| {treatment} | {len(groups[treatment])} | {meaning} |")
for treatment, options in groups.items():
    print(f"\n**{treatment}**: " + " · ".join(options))
