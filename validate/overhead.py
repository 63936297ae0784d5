#!/usr/bin/env python3
"""What a measurement costs beside Nsight Compute: the same programs, one after the other, by both.

    smem-validate catalogue --no-time -o measured && validate/overhead.py -o overhead.json measured/*.jsonl

For each record the program beside it is run three times: alone, under `smem-validate measure`, and under
`ncu --section SourceCounters`, which has the same counters for each instruction. Wall clock, start of the process included.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def seconds(command, log):
    """Wall clock and exit code."""
    with open(log, "w", encoding="utf-8") as out:
        start = time.monotonic()
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    return round(time.monotonic() - start, 3), code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", help="NAME.jsonl of smem-validate catalogue")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--validate", default="smem-validate")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--limit", type=float, default=1e9, help="start no further program after this many seconds")
    options = parser.parse_args()
    begin, programs = time.monotonic(), {}
    version = subprocess.run([options.ncu, "--version"], capture_output=True, text=True, check=False).stdout.strip().splitlines()[-1:]
    with tempfile.TemporaryDirectory() as folder:
        for record in options.records:
            if time.monotonic() - begin > options.limit:
                break
            program = os.path.splitext(record)[0]
            log = os.path.join(folder, "log")
            alone, ended = seconds([program], log)
            ours, measured = seconds([options.validate, "measure", "-o", os.path.join(folder, "m.jsonl"), "--", program], log)
            theirs, profiled = seconds([options.ncu, "--section", "SourceCounters", "--clock-control", "none", "-f", "-o", os.path.join(folder, "p"), program], log)
            if ended or measured or profiled:
                sys.exit(f"overhead.py: {program} ended with {ended} alone, {measured} measured, {profiled} profiled")
            programs[os.path.basename(program)] = {"alone": alone, "smem_validate": ours, "ncu": theirs}
            total = {key: round(sum(row[key] for row in programs.values()), 2) for key in ("alone", "smem_validate", "ncu")}
            with open(options.output, "w", encoding="utf-8") as out:  # each time, so that a limit on the whole costs nothing
                rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in programs.items())
                out.write(f'{{"unit": "s", "ncu": {json.dumps(" ".join(version))}, "programs_run": {len(programs)}, "programs_given": {len(options.records)},\n'
                          f' "total": {json.dumps(total)},\n "programs": {{\n{rows}\n }}}}\n')
    print(f"{len(programs)} of {len(options.records)} programs: {total}")


if __name__ == "__main__":
    main()
