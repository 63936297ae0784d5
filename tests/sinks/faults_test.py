#!/usr/bin/env python3
"""Runs that are killed in the middle of writing, full disks, interrupted calls, readers that go: faults_test.py SMEM_LINT FAULTS_LIBRARY.

The library (faults.cpp) counts the calls that write, so that every run is disturbed at the same place each time.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from kill_scene import FILES, KEEP, KERNEL, REPAIR, RUNS, KillScene

FAULTS = os.path.abspath(sys.argv.pop(2)) if len(sys.argv) > 2 else ""
SMEM_LINT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
KILLS = 6  # of each kind of run; tests/release/kill_test.py makes more


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.scene = KillScene(SMEM_LINT, cls.temporary.name)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        self.scene.reset()

    def disturbed(self, arguments, fault):
        return self.scene.run(arguments, LD_PRELOAD=FAULTS, SMEM_FAULT=fault, ASAN_OPTIONS="verify_asan_link_order=0")

    def calls(self, arguments):
        """How many calls an undisturbed run writes with."""
        with tempfile.NamedTemporaryFile("r") as count:
            self.scene.run(arguments, LD_PRELOAD=FAULTS, SMEM_FAULT="count", SMEM_FAULT_COUNT=count.name, ASAN_OPTIONS="verify_asan_link_order=0")
            self.scene.reset()
            number = int(count.read())
        self.assertGreater(number, 10)
        return number

    def places(self, arguments):
        count = self.calls(arguments)
        return sorted({1 + i * (count - 1) // (KILLS - 1) for i in range(KILLS)})

    def test_killed_while_writing(self):
        for arguments in RUNS:
            for at in self.places(arguments):
                with self.subTest(arguments=arguments, at=at):
                    self.scene.reset()
                    self.assertEqual(self.disturbed(arguments, f"kill@{at}").returncode, -9)
                    self.scene.check(arguments)

    def test_a_full_disk(self):
        for arguments in RUNS:
            for at in self.places(arguments)[::2]:
                with self.subTest(arguments=arguments, at=at):
                    self.scene.reset()
                    done = self.disturbed(arguments, f"full@{at}")
                    self.assertIn(done.returncode, (1, 2))
                    self.assertEqual([path for path in self.scene.folder.rglob("*.smem-lint-tmp")], [])
                    self.scene.check(arguments)

    def test_a_full_disk_has_a_message(self):
        (self.scene.folder / "cache").mkdir()
        open_file = "--format=json", "-o", "/dev/full", *FILES
        done = self.scene.run(open_file)
        self.assertEqual((done.returncode, done.stderr), (2, "smem-lint: error: cannot write '/dev/full': No space left on device\n"))
        for arguments in (("--help",), ("--version",), ("--list-checks",), ("--explain=all",), ("--dump-config",), ("--doctor",), FILES, ("--format=json", *FILES)):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([SMEM_LINT, "--cuda-path=none", *arguments], cwd=self.scene.folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=self.scene.environment())
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("smem-lint: error: cannot write to standard output: No space left on device\n", done.stderr)

    def test_interrupted_calls(self):
        for arguments in RUNS:
            self.scene.reset()
            done = self.disturbed(arguments, "interrupt")
            self.assertIn(done.returncode, (0, 1), done.stderr)
            for name, text in self.scene.wanted[arguments].items():
                self.assertEqual(self.scene.read(name), text, name)

    def test_a_reader_that_has_gone(self):
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "wb") as closed:
            done = subprocess.run([SMEM_LINT, "--cuda-path=none", *FILES], cwd=self.scene.folder, stdout=closed, stderr=subprocess.PIPE, text=True, check=False, env=self.scene.environment())
        self.assertEqual(done.returncode, 2)
        self.assertIn("smem-lint: error: cannot write to standard output: Broken pipe\n", done.stderr)

    def test_nobody_listens(self):
        """A closed standard output and error, and a terminal that has gone: the exit code is all there is."""
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "wb") as closed:
            done = subprocess.run([SMEM_LINT, "--cuda-path=none", *FILES], cwd=self.scene.folder, stdout=closed, stderr=closed, check=False, env=self.scene.environment())
        self.assertEqual(done.returncode, 2)

    def test_two_runs_at_once(self):
        first, second = self.scene.start(KEEP), self.scene.start(KEEP)
        for process in (first, second):
            _, err = process.communicate()
            self.assertIn(process.returncode, (0, 1, 2), err)
            if process.returncode == 2:
                self.assertIn("it has changed since it was read, by another run: run again", err)
        codes = first.returncode, second.returncode
        self.assertIn(0, codes)
        if self.scene.read("report.json") != self.scene.wanted[KEEP]["report.json"]:  # that of the one which came too late, if it wrote last
            self.assertIn(2, codes)
            self.assertIn("it has changed since it was read", self.scene.read("report.json").decode())
            json.loads(self.scene.read("report.json"))
            (self.scene.folder / "report.json").unlink()
        self.scene.check(KEEP)

    def test_two_repairs_at_once(self):
        first, second = self.scene.start(REPAIR), self.scene.start(REPAIR)
        for process in (first, second):
            _, err = process.communicate()
            self.assertIn(process.returncode, (0, 1, 2), err)
        for name in FILES:
            self.assertIn(self.scene.read(name), (KERNEL.format(name[0]).encode(), self.scene.wanted[REPAIR][name]))

    def test_a_clock_that_goes_backwards(self):
        self.scene.run(KEEP)
        for path in self.scene.folder.rglob("*"):
            os.utime(path, (1, 1) if path.suffix == ".cu" else (4e9, 4e9))
        self.scene.check(KEEP)
        (self.scene.folder / "a.cu").write_text(KERNEL.format("a").replace("[32][32]", "[32][33]"))
        os.utime(self.scene.folder / "a.cu", (1, 1))
        self.scene.run(KEEP)
        self.assertNotEqual(self.scene.read("report.json"), self.scene.wanted[KEEP]["report.json"])


if __name__ == "__main__":
    unittest.main()
