#!/usr/bin/env python3
"""What hostile repositories try, and that nothing comes of it.

    attacks_test.py SMEM_LINT PLUGIN TOPIC [unittest arguments]

The cases of a topic are ATTACKS in TOPIC_cases.py, a list of scene.Attack; each becomes a test of that name. PLUGIN is a library
that leaves a mark when it is loaded. `attacks_test.py --count` prints how many cases there are.
"""
import importlib
import os
import pathlib
import sys
import tempfile
import unittest

import scene

HERE = pathlib.Path(__file__).resolve().parent


def attacks_of(topic):
    attacks = importlib.import_module(f"{topic}_cases").ATTACKS
    names = [attack.name for attack in attacks]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice, f"two cases of one name: {twice}"
    return attacks


def tests_of(attacks, smem_lint, plugin):
    def test_of(attack):
        return lambda self: scene.perform(self, attack, smem_lint, plugin)
    return type("Attacks", (unittest.TestCase,), {"maxDiff": None, **{f"test_{attack.name}": test_of(attack) for attack in attacks}})


if __name__ == "__main__":
    if sys.argv[1:] == ["--count"]:
        counts = {path.stem.removesuffix("_cases"): len(attacks_of(path.stem.removesuffix("_cases"))) for path in sorted(HERE.glob("*_cases.py"))}
        print(", ".join(f"{count} {topic}" for topic, count in counts.items()), f"({sum(counts.values())})")
        sys.exit(0)
    program, plugin_file, chosen = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1)
    Attacks = tests_of(attacks_of(chosen), program, plugin_file)
    with tempfile.TemporaryDirectory() as made:
        scene.precompile(program, made)
        unittest.main()
