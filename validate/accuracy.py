#!/usr/bin/env python3
"""Predicted against measured, for every recorded program.

    validate/accuracy.py --lint build/bin/smem-lint --validate build/bin/smem-validate            # a Markdown table
    validate/accuracy.py … --check validate/recorded/accuracy.json [NAME...]                      # fails on any change
    validate/accuracy.py … --update validate/recorded/accuracy.json                               # accepts the changes

A row is (launch, file, line, space, operation). It is right when wavefronts, ideal wavefronts, sectors, ideal sectors and tags all equal
the counters. Rows are counted by what the prediction claimed: exact, right or wrong (a false claim); assumed, right or wrong; unknown; or
missing, where the hardware counted something and nothing was predicted. --check compares row by row: those that are not exact and right are listed
in the file, the others are a hash.
"""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile

CLAIMS = ["exact_right", "exact_wrong", "assumed_right", "assumed_wrong", "unknown", "missing"]
FIELDS = ["rows", *CLAIMS]


def class_of(row):
    """One of CLAIMS; `unstable` where measurements of the program differ."""
    if row["verdict"] in ("unstable", "unknown"):
        return row["verdict"]
    if row["claim"] is None:
        return "missing"
    return f"{row['claim']}_{'right' if row['verdict'] == 'exact' else 'wrong'}"


def rows_of(launches):
    """{class: rows}: one text a row; of `exact_right` the hash of all."""
    found = {}
    for number, launch in enumerate(launches):
        for row in launch["rows"]:
            found.setdefault(class_of(row), []).append(f"{number} {launch['kernel']} {row['line']} {row['space']} {row['operation']}")
    found = {claim: sorted(rows) for claim, rows in found.items()}
    if "exact_right" in found:
        found["exact_right"] = hashlib.sha256("\n".join(found["exact_right"]).encode()).hexdigest()[:16]
    return found


def compare(options, name, measured):
    """The summary of one program; exits when nothing could be compared, which is never agreement."""
    with tempfile.TemporaryDirectory() as folder:
        predicted = os.path.join(folder, "predicted.json")
        lint = subprocess.run([options.lint, "--cuda-path=none", "--quiet", "--format=json", "-o", predicted, f"{options.kernels}/{name}.cu"],
                              capture_output=True, text=True, check=False)
        if lint.returncode > 1:
            sys.exit(f"{name}: smem-lint failed: {lint.stderr.strip()}")
        result = subprocess.run([options.validate, "compare", predicted, measured, "--format=json", "--quiet"],
                                capture_output=True, text=True, check=False)
        if result.returncode > 1:
            sys.exit(f"{name}: nothing could be compared: {result.stderr.strip()}")
        report = json.loads(result.stdout)
        summary = report["summary"]
        return {"rows": summary["rows"], **{claim: summary["claims"][claim] for claim in CLAIMS}, "which": rows_of(report["launches"])}


def difference(found, known):
    """What changed of one program, row by row."""
    if not known:
        return "nothing was recorded"
    parts = [f"{field} {known.get(field)} -> {found[field]}" for field in FIELDS if found[field] != known.get(field)]
    before, after = known.get("which", {}), found["which"]
    for claim in sorted({*before, *after} - {"exact_right"}):
        parts += [f"{claim} now: {row}" for row in sorted(set(after.get(claim, [])) - set(before.get(claim, [])))]
        parts += [f"{claim} no longer: {row}" for row in sorted(set(before.get(claim, [])) - set(after.get(claim, [])))]
    if not parts:
        parts.append("other rows are exact and right than were recorded")
    return "; ".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="programs (default: all that are recorded)")
    parser.add_argument("--lint", required=True)
    parser.add_argument("--validate", required=True)
    parser.add_argument("--kernels", default="kernels", help="folder of the sources, relative to the project's root")
    parser.add_argument("--recorded", default="validate/recorded/catalogue")
    parser.add_argument("--check", metavar="FILE")
    parser.add_argument("--update", metavar="FILE")
    options = parser.parse_args()
    names = options.names or sorted(f[:-6] for f in os.listdir(options.recorded) if f.endswith(".jsonl"))
    found = {name: compare(options, name, f"{options.recorded}/{name}.jsonl") for name in names}
    total = {field: sum(row[field] for row in found.values()) for field in FIELDS}
    if options.check:
        with open(options.check, encoding="utf-8") as file:
            known = json.load(file)
        changed = [f"{name}: {difference(found[name], known.get(name))}" for name in names if found[name] != known.get(name)]
        print("\n".join(changed) or f"{total['exact_right'] + total['assumed_right']} of {total['rows']} rows match, as recorded")
        return 1 if changed else 0
    if options.update:
        with open(options.update, "w", encoding="utf-8") as file:
            file.write("{\n" + ",\n".join(f" {json.dumps(n)}: {json.dumps(r)}" for n, r in found.items()) + "\n}\n")
    print(f"| program | {' | '.join(field.replace('_', ', ') for field in FIELDS)} |\n|---|" + "---:|" * len(FIELDS))
    for name, row in list(found.items()) + [("**all**", total)]:
        print(f"| {name} | " + " | ".join(f"{row[field]:,}" for field in FIELDS) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
