#!/usr/bin/env python3
"""A formula evaluated at given values is what an analysis with these values counts.

    formulas_test.py SMEM_LINT
"""
import fractions
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(__file__).with_name("formulas.cu")
COUNTS = ("requests", "wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors", "tags")
LINT = None
LONG = bool(os.environ.get("SMEM_LINT_LONG_TESTS"))  # twice as many draws


def analyse(*options):
    command = [LINT, SOURCE, "--format=json", "--fail-on=never", "--cuda-path=none", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    return {(launch["kernel"], site["line"], site["column"], site["space"], site["operation"], site["width_bits"]): site
            for launch in report["launches"] for site in launch["sites"]}, report


def value(formula, given):
    """The grammar of smem/formula.h, in exact arithmetic."""
    text = re.sub(r"\[([^\[\]]*)\]", r"int(\1)", formula)
    text = text.replace("gridDim.", "gridDim_")
    names = {name: fractions.Fraction(number) for name, number in given.items()}
    functions = {"ceil": math.ceil, "floor": math.floor, "trunc": math.trunc, "min": min, "max": max, "int": int,
                 "select": lambda condition, yes, no: yes if condition else no}
    return eval(text, {"__builtins__": {}}, {**names, **functions})  # pylint: disable=eval-used


def only(sites, kernel, expression, operation):
    found = [site for key, site in sites.items() if key[0] == kernel and key[4] == operation and site["expression"] == expression]
    assert len(found) == 1, (kernel, expression, sorted(sites))
    return found[0]


class Formulas(unittest.TestCase):
    def compare(self, facts, choose, draws, expected_open):
        """`choose` draws values that satisfy `facts`; at least `expected_open` sites must have formulas that are no numbers."""
        options = [word for fact in facts for word in ("--set", fact)]
        symbolic, _ = analyse("--launch", "block=256", *options)
        open_sites = {key for key, site in symbolic.items()
                      if site["symbolic"] and site["symbolic"]["reason"] is None and not site["symbolic"]["requests"].isdigit()}
        self.assertGreaterEqual(len(open_sites), expected_open)
        dice = random.Random(20)
        for _ in range(draws if LONG else draws // 2):
            n, m, blocks = choose(dice)
            counted, _ = analyse("--launch", f"block=256 grid=({blocks})", "--set", f"n={n}", "--set", f"m={m}")
            given = {"n": n, "m": m, "gridDim_x": blocks, "gridDim_y": 1, "gridDim_z": 1}
            for key, site in counted.items():
                formulas = symbolic[key]["symbolic"]
                if formulas["reason"] is not None or site["verdict"] == "unknown":
                    continue
                with self.subTest(site=key, n=n, m=m, blocks=blocks):
                    for count in COUNTS:
                        self.assertEqual(value(formulas[count], given), site[count], f"{count} = {formulas[count]}")
                    for count in ("wavefronts", "sectors"):
                        least, most = formulas[count + "_per_request"]
                        self.assertLessEqual(least * site["requests"], site[count])
                        self.assertGreaterEqual(most * site["requests"], site[count])

    def test_anything(self):
        self.compare([], lambda dice: (dice.choice([0, 1, 2, 3, 4, 5, 31, 32, 33, 40, 41, dice.randrange(3000)]),
                                       dice.choice([0, 1, 5, 6, 7, 8, dice.randrange(2000)]), dice.randrange(1, 70)), 14, 16)

    def test_multiples(self):
        self.compare(["n % 256 == 0", "m >= 6"], lambda dice: (256 * dice.randrange(12), dice.randrange(6, 400), dice.randrange(1, 20)), 8, 19)

    def test_remainder(self):
        self.compare(["n % 32 == 5", "m % 8 == 0"], lambda dice: (5 + 32 * dice.randrange(40), 8 * dice.randrange(30), dice.randrange(1, 9)), 6, 16)

    def test_facts_that_decide(self):
        symbolic, _ = analyse("--launch", "block=256", "--set", "m >= 6")
        stored = only(symbolic, "tiles", "rows[0][x]", "store")["symbolic"]
        self.assertNotIn("[m", stored["requests"])
        symbolic, _ = analyse("--launch", "block=256", "--set", "m <= 5")
        stored = only(symbolic, "tiles", "rows[0][x]", "store")["symbolic"]
        self.assertEqual(stored["requests"], "0")

    def test_why_not(self):
        symbolic, _ = analyse("--launch", "block=256")
        loaded = only(symbolic, "covered", "a[i]", "load")["symbolic"]
        self.assertIsNotNone(loaded["reason"])
        self.assertIsNone(loaded["requests"])

    def test_what_does_not_depend_is_exact(self):
        """The grid is known, n is not: what n does not change is exact, and what it does is assumed."""
        counted, report = analyse("--launch", "block=256 grid=(3)")
        self.assertEqual(only(counted, "nested", "out[blockIdx.x * blockDim.x + threadIdx.x]", "store")["verdict"], "exact")
        self.assertEqual(only(counted, "nested", "line[threadIdx.x]", "store")["verdict"], "assumed")
        self.assertEqual({symbol["name"] for launch in report["launches"] for symbol in launch["symbols"]}, {"n", "m"})

    def test_nothing_open(self):
        counted, report = analyse("--launch", "block=256 grid=(3) n=100 m=7")
        self.assertTrue(all(site["symbolic"] is None for site in counted.values()))
        self.assertTrue(all(launch["symbols"] == [] for launch in report["launches"]))


if __name__ == "__main__":
    LINT = sys.argv.pop(1)
    unittest.main()
