#!/usr/bin/env python3
"""Pastes the launch hints that smem-lint prints: filled in with the values that were assumed, each has to say what it says.

    hints_test.py smem-lint FILE... [--without-host FILE... [--every N]]

Unless SMEM_LINT_LONG_TESTS is set, every other FILE is taken, and one in N of those without a host.

Hints of different kernels are pasted together. Few steps are enough: what is tested is launches.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HEADERS = pathlib.Path(__file__).resolve().parents[2] / "kernels"  # of copies of the catalogue's files
HINT = re.compile(r"--launch '([^']*<value>[^']*)'")


def analyse(tool, path, *options):
    result = subprocess.run([tool, "--cuda-path=none", "--format=json", "--fail-on=never", "--checks=-*,launch-unknown", "--max-steps=20000",
                             f"--extra-arg=-I{HEADERS}", *options, path], capture_output=True, text=True, check=False)
    return result, json.loads(result.stdout) if result.stdout else None


def filled_in(hint, launch):
    """The hint with the values of a launch of the report, and what it then says."""
    kernel, words = hint.rsplit(":", 1)
    values = {argument["name"]: argument["value"] for argument in launch["arguments"]}
    anything = 3  # where nothing was assumed
    said = {}
    for word in words.split():
        name = word.split("=")[0]
        if name in ("grid", "block"):
            said[name] = launch[name]
        elif name == "dynamic":
            said[name] = launch["dynamic_shared_bytes"]
        else:
            said[name] = anything if values[name] is None else values[name]
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
            argument = next(each for each in launch["arguments"] if each["name"] == name)
            has, origin = argument["value"], argument["provenance"]
        if has != value or origin != "option":
            wrong.append(f"{name} is {has} by {origin} where --launch says {value}")
    return wrong


def rounds(findings):
    """Hints of one file that can be pasted together: one for each kernel."""
    left = list(findings)
    while left:
        chosen = {}
        for each in left:
            chosen.setdefault(each["kernel"], each)
        yield list(chosen.values())
        left = [each for each in left if all(each is not one for one in chosen.values())]


def paste(tool, path, hints, report, code):
    """What is wrong after these findings' hints were pasted; without them the exit code was `code`."""
    options, expected = [], {}
    for finding, hint in hints:
        launches = [each for each in report["launches"] if each["kernel"] == finding["kernel"] and each["arch"] == finding.get("arch", each["arch"])]
        option, said = filled_in(hint, launches[0])
        options += ["--launch", option]
        expected[finding["kernel"]] = said
    result, again = analyse(tool, path, *options)
    if again is None or result.returncode not in (0, code):
        return [f"{path}: {options} end with {result.returncode}: {result.stderr.strip()}"]
    wrong = []
    for kernel, said in expected.items():
        launches = [each for each in again["launches"] if each["kernel"] == kernel]
        wrong += [f"{path}: {options}: {text}" for each in launches for text in contradictions(said, each)] or ([] if launches else [f"{path}: {kernel} is gone"])
    return wrong


def without_host(path, folder):
    """A copy whose launches nobody knows: the text up to `main`."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    copy = pathlib.Path(folder) / pathlib.Path(path).name
    copy.write_text(re.split(r"^(?:static )?int main\(", text, maxsplit=1, flags=re.M)[0], encoding="utf-8")
    return str(copy)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("tool")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--without-host", nargs="*", default=[], help="files of which everything from `main` on is cut off")
    parser.add_argument("--every", type=int, default=1, help="one in so many of these")
    options = parser.parse_args()
    if not os.environ.get("SMEM_LINT_LONG_TESTS"):
        options.files = options.files[::2]
        options.without_host = options.without_host[::options.every]
    pasted, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for files in (options.files, [without_host(path, folder) for path in options.without_host]):
            for path in files:
                before, report = analyse(options.tool, path)
                if report is None or not all(each["parsed"] for each in report["files"]):
                    failures += [f"{path} is not analysed"] if files is not options.files else []
                    continue
                hints = [(finding, HINT.search(finding["hint"] or "")) for finding in report["findings"]]
                hints = {id(finding): (finding, hint[1]) for finding, hint in hints if hint}
                if not hints:
                    continue
                first = next(iter(hints.values()))[1]
                raw, _ = analyse(options.tool, path, "--launch", first)
                if raw.returncode != 2 or "in place of <value>" not in raw.stderr:
                    failures.append(f"{path}: --launch '{first}' is not refused before it is filled in: {raw.stderr.strip()}")
                for together in rounds(finding for finding, _ in hints.values()):
                    chosen = [hints[id(finding)] for finding in together]
                    pasted += len(chosen)
                    if paste(options.tool, path, chosen, report, before.returncode): # a name may be that of several kernels
                        failures += [text for one in chosen for text in paste(options.tool, path, [one], report, before.returncode)]
    for text in failures:
        print(text)
    print(f"{pasted} hints pasted, {len(failures)} do not say what they say")
    return 1 if failures or not pasted else 0


if __name__ == "__main__":
    sys.exit(main())
