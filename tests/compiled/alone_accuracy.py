#!/usr/bin/env python3
"""Machine code alone against recorded counters: the catalogue's listings, with the launches that the host code of its sources makes.

    tests/compiled/alone_accuracy.py --lint build/bin/smem-lint --validate build/bin/smem-validate LISTING...

LISTING is NAME.sass or NAME.cubin.sass, what `nvcc -O3 -std=c++17 -lineinfo -arch=sm_90 -cubin kernels/NAME.cu` and `nvdisasm -gi` made. Prints what each
program's rows came to, those that do not match, and the sums: rows that depend on data are those whose reason is a value loaded from memory.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=ROOT)


def launches_of(lint, name):
    """The launches of a source as options about its machine code."""
    made = json.loads(run(lint, "--cuda-path=none", "--format=json", "--quiet", "--fail-on=never", f"kernels/{name}.cu").stdout)
    wishes = []
    for launch in made["launches"]:
        dims = " ".join(f"{part}=({','.join(map(str, launch[part]))})" for part in ("grid", "block"))
        scalars = "".join(f" arg{argument['index']}{'.at_%d' % argument['offset'] if '.' in (argument['name'] or '') else ''}={argument['value']}" for argument in launch["arguments"]
                          if argument["value"] is not None and (argument["value"] or not argument["pointer"]))
        wishes.append(f"--launch={launch['kernel']}:{dims} dynamic={launch['dynamic_shared_bytes']}{scalars}")
    return wishes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("listings", nargs="+", type=pathlib.Path)
    parser.add_argument("--lint", required=True, type=pathlib.Path)
    parser.add_argument("--validate", required=True, type=pathlib.Path)
    options = parser.parse_args()
    lint, validate = options.lint.resolve(), options.validate.resolve()
    total, by_data = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        predicted = pathlib.Path(folder, "predicted.json")
        for listing in sorted(options.listings):
            name = listing.name.split(".")[0]
            done = run(lint, "--cuda-path=none", "--format=json", "--quiet", "--fail-on=never", *launches_of(lint, name), "-o", predicted, listing.resolve())
            if done.returncode:
                print(f"{name}: {done.stderr.strip()}", file=sys.stderr)
            compared = run(validate, "compare", predicted, f"validate/recorded/catalogue/{name}.jsonl", "--format=json", "--quiet")
            if compared.returncode > 1:
                print(f"{name}: {compared.stderr.strip()}", file=sys.stderr)
                continue
            found = json.loads(compared.stdout)
            summary = found["summary"]
            total.update({**{key: summary[key] for key in ("rows", "exact", "unknown", "mismatch", "false_claims")}, **summary["claims"]})
            for launch in found["launches"]:
                for row in launch["rows"]:
                    if row["verdict"] != "exact":
                        by_data += row["verdict"] == "unknown" and "loaded from memory" in (row.get("reason") or "")
                        print(f"{name}: {launch['kernel']}:{row['line']} {row['space']} {row['operation']}: {row['verdict']} ({row['claim']}): {row.get('reason')}")
    print(dict(total), f"unknown because of data: {by_data}")


if __name__ == "__main__":
    main()
