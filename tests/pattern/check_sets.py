#!/usr/bin/env python3
"""Claims about all launches against launches at random values, over sets of kernels.

    check_sets.py --tool build/bin/smem-check-patterns --every 3 --rounds 24        # what the tests run; --every 1 each week
    check_sets.py --tool build/bin/smem-check-patterns --rounds 300 --seed 7 --generated 20   # about a million claims and more

The sets are the catalogue, validate/everyday, the constructs of the golden tests and generated kernels. Prints, for each set, how many claims were
checked and contradicted, and what share of the sites that do not depend on data has a claim. Fails when one is contradicted, when too few
were checked for that to mean anything, or when the share falls below what it has been.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINE = re.compile(r"^(?P<file>.*): shared always (\d+) cases (\d+) data (\d+) unknown (\d+); "
                  r"global always (\d+) cases (\d+) data (\d+) unknown (\d+); checked (\d+) contradicted (\d+) wrapped (\d+)")


def generated(folder, seed, files):
    if files:
        subprocess.run([sys.executable, ROOT / "tests/fuzz/generate_kernels.py", "--seed", str(seed), "--files", str(files), "--kernels", "12",
                        "--out", folder], check=True, stdout=subprocess.DEVNULL)
    return sorted(Path(folder).glob("**/*.cu"))


def share(claimed, unknown):
    return claimed / (claimed + unknown) if claimed + unknown else 1.0


def check(arguments, name, files):
    """The figures of one set; contradictions are printed as they are found."""
    run = subprocess.run([arguments.tool, "--rounds", str(arguments.rounds), "--seed", str(arguments.seed), *map(str, files)], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{name}: {arguments.tool} ended with {run.returncode}: {run.stderr[-2000:]}")
    sums = [0] * 11
    seen = 0
    for line in run.stdout.splitlines():
        found = LINE.match(line)
        if found:
            seen += 1
            sums = [a + int(b) for a, b in zip(sums, found.groups()[1:])]
        else:
            print(line)
    if seen != len(files):
        sys.exit(f"{name}: {seen} of {len(files)} files were looked at")
    shared, world = sums[0:4], sums[4:8]
    figures = {"checked": sums[8], "contradicted": sums[9],
               "shared": share(shared[0] + shared[1], shared[3]), "global": share(world[0] + world[1], world[3])}
    print(f"{name}: {len(files)} files, {figures['checked']} claims checked, {figures['contradicted']} contradicted, {sums[10]} requests that wrap around; "
          f"claims at {100 * figures['shared']:.1f}% of shared and {100 * figures['global']:.1f}% of global sites without data")
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="one in so many files of each set that is not generated")
    parser.add_argument("--generated", type=int, default=3, help="files of generated kernels")
    parser.add_argument("--set", choices=["catalogue", "everyday", "constructs", "generated"], action="append")
    parser.add_argument("--least-claims", type=int, default=0)
    parser.add_argument("--least-share", type=float, default=0, help="of sites with a claim, in each space of each set")
    arguments = parser.parse_args()
    failed = []
    checked = 0
    with tempfile.TemporaryDirectory() as folder:
        sets = {"catalogue": lambda: sorted((ROOT / "kernels").glob("*.cu")), "everyday": lambda: sorted((ROOT / "validate/everyday").glob("*.cu")),
                "constructs": lambda: sorted((ROOT / "tests/lit/constructs").glob("*.cu")), "generated": lambda: generated(folder, arguments.seed, arguments.generated)}
        for name, files in sets.items():
            if arguments.set and name not in arguments.set:
                continue
            figures = check(arguments, name, files()[:: 1 if name == "generated" else arguments.every])
            checked += figures["checked"]
            if figures["contradicted"]:
                failed.append(f"{name}: {figures['contradicted']} claims are contradicted")
            if min(figures["shared"], figures["global"]) < arguments.least_share:
                failed.append(f"{name}: less than {100 * arguments.least_share:.0f}% of the sites have a claim")
    if checked < arguments.least_claims:
        failed.append(f"only {checked} claims were checked")
    for message in failed:
        print("FAILED:", message)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
