#!/usr/bin/env python3
"""The script that holds floors against measured times finds what it is there to find."""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import floors


def launch(floor_ns, fastest_ns, bound=True):
    floor = None if floor_ns is None else {"ns": floor_ns, "bound_by_throughput": bound, "binding": "dram__bytes"}
    return floors.Launch("timings-h200", "program", "kernel", (1, 1, 1), (32, 1, 1), {"fastest_ns": fastest_ns}, floor)


class Figures(unittest.TestCase):
    def test_a_floor_above_a_time_is_found(self):
        found = [launch(999, 1000), launch(1000, 1000), launch(1001, 1000), launch(None, 1000)]
        self.assertEqual(floors.above(found), [found[2]])
        self.assertEqual(floors.figures(found, 0)["above_measured"], 1)

    def test_tightness_is_of_launches_that_are_bound(self):
        found = [launch(900, 1000), launch(500, 1000), launch(100, 1000, bound=False), launch(None, 1000)]
        figures = floors.figures(found, 2)
        self.assertEqual((figures["launches"], figures["bound_by_throughput"], figures["at_least_0.8"], figures["at_least_0.5"]), (4, 2, 1, 2))
        self.assertEqual((figures["without_floor"], figures["not_predicted"], figures["highest_share"]), (1, 2, 0.9))

    def test_what_a_command_needs_is_said(self):
        for command, needs in (("own", "--lint"), ("update", "--lint"), ("record", "--ncu")):
            done = subprocess.run([sys.executable, pathlib.Path(floors.__file__).with_name("public.py"), command], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.splitlines()[-1], f"public.py: error: {command} needs {needs}")


if __name__ == "__main__":
    unittest.main()
