#!/usr/bin/env python3
"""Pastes the launch hints that smem-lint prints: filled in with the values that were assumed, each has to say what it says.

    hints_test.py smem-lint FILE...
"""
import json
import re
import subprocess
import sys

HINT = re.compile(r"--launch '([^']*<value>[^']*)'")


def analyse(tool, path, *options):
    result = subprocess.run([tool, "--cuda-path=none", "--format=json", "--fail-on=never", *options, path], capture_output=True, text=True, check=False)
    return result, json.loads(result.stdout) if result.stdout else None


def filled_in(hint, launch):
    """The hint with the values of a launch of the report, and what it then says."""
    kernel, words = hint.rsplit(":", 1)
    values = {argument["name"]: argument["value"] for argument in launch["arguments"] if argument["offset"] == 0}
    said = {}
    for word in words.split():
        name = word.split("=")[0]
        if name in ("grid", "block"):
            said[name] = launch[name]
        elif name == "dynamic":
            said[name] = launch["dynamic_shared_bytes"]
        else:
            said[name] = values[name]
    text = " ".join(f"{name}={'(' + ','.join(map(str, value)) + ')' if isinstance(value, list) else value}" for name, value in said.items())
    return f"{kernel}:{text}", said


def contradictions(said, launch):
    """What a launch of the second report has that was not said so."""
    wrong = []
    for name, value in said.items():
        if name in ("grid", "block"):
            has, origin = launch[name], launch["origin"]["kind"]
        elif name == "dynamic":
            has, origin = launch["dynamic_shared_bytes"], "option"
        else:
            argument = next(each for each in launch["arguments"] if each["name"] == name and each["offset"] == 0)
            has, origin = argument["value"], argument["provenance"]
        if has != value or origin != "option":
            wrong.append(f"{name} is {has} by {origin} where --launch says {value}")
    return wrong


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    pasted, failures = 0, []
    for path in files:
        _, report = analyse(tool, path)
        if report is None:
            continue
        for finding in report["findings"]:
            hint = HINT.search(finding["hint"] or "") if finding["rule"] == "launch-unknown" else None
            if not hint:
                continue
            raw, _ = analyse(tool, path, "--launch", hint[1])
            if raw.returncode != 2 or "in place of <value>" not in raw.stderr:
                failures.append(f"{path}: --launch '{hint[1]}' is not refused before it is filled in: {raw.stderr.strip()}")
            launches = [each for each in report["launches"] if each["kernel"] == finding["kernel"]]
            option, said = filled_in(hint[1], launches[0])
            result, again = analyse(tool, path, "--launch", option)
            pasted += 1
            if again is None or result.returncode:
                failures.append(f"{path}: --launch '{option}' ends with {result.returncode}: {result.stderr.strip()}")
                continue
            wrong = [text for each in again["launches"] if each["kernel"] == finding["kernel"] for text in contradictions(said, each)]
            failures += [f"{path}: --launch '{option}': {text}" for text in wrong]
    for text in failures:
        print(text)
    print(f"{pasted} hints pasted, {len(failures)} do not say what they say")
    return 1 if failures or not pasted else 0


if __name__ == "__main__":
    sys.exit(main())
