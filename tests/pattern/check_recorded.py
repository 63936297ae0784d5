#!/usr/bin/env python3
"""Claims about all launches against counters that were recorded on a GPU.

  tests/pattern/check_recorded.py --lint build/bin/smem-lint [--least N] [NAME...]

A claim is of one instruction's requests; the counters are sums over a launch. Where each request is one of the cases, the sums are between them: of cases that
cost 1 of 1 and 4 of 1, wavefronts are between one and four times the ideal ones, and a case that is a bound holds for each executed instruction. Instructions that
nvcc made wider or narrower than predicted are others, and counted apart; so are those that no claim is about.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SETS = {"kernels": "validate/recorded/catalogue", "validate/everyday": "validate/recorded/everyday"}
FIGURES = {"shared": ("wavefronts", "ideal_wavefronts"), "global": ("sectors", "ideal_sectors")}
MEASURED = {"wavefronts": "wavefronts", "ideal_wavefronts": "wavefronts_ideal", "sectors": "sectors", "ideal_sectors": "sectors_ideal"}
TOOLKIT = ("/usr/local/cuda", "/opt/cuda")


def place(instruction):
    """The innermost line outside the toolkit's headers."""
    for at in [instruction, *instruction.get("inlined_at", [])]:
        if not at["file"].startswith(TOOLKIT):
            return at["file"], at["line"]
    return instruction["file"], instruction["line"]


def claims_of(lint, source):
    """{(kernel, file, line, space, operation, width): cases of all sites there, None where one of them has no claim}"""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run([lint, "--cuda-path=none", "--quiet", "--format=json", "-o", report, source], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode > 1:
            sys.exit(f"{source}: smem-lint failed: {done.stderr.strip()}")
        launches = json.loads(pathlib.Path(report).read_text())["launches"]
    claims = {}
    for launch in launches:
        for site in launch["sites"]:
            key = launch["mangled"], site["file"], site["line"], site["space"], site["operation"], site["width_bits"]
            pattern = site["pattern"]
            known = pattern and pattern["verdict"] in ("always", "cases") and not pattern["reason"]
            claims[key] = None if not known or claims.get(key, ()) is None else [*claims.get(key, ()), *pattern["cases"]]
    return claims


def contradiction(cases, space, sums):
    """What of the sums no mixture of the cases can be; None if one can."""
    name, ideal = FIGURES[space]
    measured, measured_ideal = sums[name], sums[ideal]
    if measured > max(case[name] for case in cases) * sums["executed"]:
        return f"{measured} {name} in {sums['executed']} instructions, claimed at most {max(case[name] for case in cases)} each"
    if any(case["at_most"] for case in cases):
        return None
    least = min(cases, key=lambda case: case[name] / case[ideal])
    most = max(cases, key=lambda case: case[name] / case[ideal])
    if measured * least[ideal] < least[name] * measured_ideal or measured * most[ideal] > most[name] * measured_ideal:
        return f"{measured} {name} where {measured_ideal} are ideal, claimed {least[name]} of {least[ideal]} to {most[name]} of {most[ideal]}"
    return None


def check(lint, source, recording, tally):
    claims = claims_of(lint, source)
    rows = collections.defaultdict(collections.Counter)
    with open(recording, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["kind"] != "launch":
                continue
            for instruction in record["instructions"]:
                if instruction["space"] in FIGURES:
                    row = rows[record["kernel"], *place(instruction), instruction["space"], instruction["operation"], instruction.get("width"), record["index"]]
                    row["executed"] += instruction["executed"]
                    for ours, theirs in MEASURED.items():
                        row[ours] += instruction[theirs]
    lines_claimed = {key[:5] for key in claims}
    for (*key, index), sums in sorted(rows.items()):
        cases = claims.get(tuple(key), ())
        if not cases or not sums[FIGURES[key[3]][1]]:
            tally["no claim" if cases is None or tuple(key[:5]) not in lines_claimed else "other width"] += 1
            continue
        tally["claims"] += 1
        if wrong := contradiction(cases, key[3], sums):
            tally["contradicted"] += 1
            print(f"{key[1]}:{key[2]}: {key[3]} {key[4]} {key[5]} in launch {index} of {key[0]}: measured {wrong}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="programs (default: all that are recorded)")
    parser.add_argument("--lint", required=True)
    parser.add_argument("--least", type=int, default=1, metavar="N", help="claims that there must be")
    options = parser.parse_args()
    options.lint = os.path.abspath(options.lint)
    tally = collections.Counter()
    for sources, recorded in SETS.items():
        for recording in sorted((ROOT / recorded).glob("*.jsonl")):
            if not options.names or recording.stem in options.names:
                check(options.lint, f"{sources}/{recording.stem}.cu", recording, tally)
    print(f"{tally['claims']} rows with a claim, {tally['contradicted']} contradicted; {tally['no claim']} without one, {tally['other width']} compiled to another width")
    return 1 if tally["contradicted"] or tally["claims"] < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
