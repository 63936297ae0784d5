#!/usr/bin/env python3
"""Kills runs of smem-lint at random moments and looks at what they leave: kill_test.py SMEM_LINT [--kills 200] [--seed 1].

Half of the runs write a cache, a baseline and a report, half write repairs. After each kill every file must be the old or the new one, nothing but
temporary files may lie beside them, and another run must end as if nothing had happened. Not a part of ctest: the moments are moments in time.
tests/sinks/faults_test.py kills at counted calls.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sinks"))
from kill_scene import RUNS, KillScene  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("smem_lint")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    killed = finished = temporary = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        scene = KillScene(options.smem_lint, folder)
        seconds = {}
        for arguments in RUNS:
            scene.reset()
            began = time.monotonic()
            scene.run(arguments)
            seconds[arguments] = time.monotonic() - began
        while killed < options.kills:
            arguments = RUNS[killed % len(RUNS)]
            scene.reset()
            process = scene.start(arguments)
            # Most moments of a run are those of the compiler: half of the kills come in its last part.
            moment = chance.uniform(0, 1.1) if chance.random() < 0.5 else chance.uniform(0.7, 1.1)
            try:
                process.communicate(timeout=moment * seconds[arguments])
                finished += 1
                continue
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
            killed += 1
            temporary += sum(1 for _ in scene.folder.rglob(".*.smem-lint-tmp"))
            try:
                scene.check(arguments)
            except AssertionError as error:
                failures += 1
                print(f"kill {killed} after {moment * seconds[arguments]:.3f} s of {arguments[0]}: {error}")
            if killed % 50 == 0:
                print(f"{killed} killed, {finished} finished before, {failures} failures", flush=True)
    print(f"{killed} kills, {failures} failures, {temporary} temporary files left; {finished} runs had ended before")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
