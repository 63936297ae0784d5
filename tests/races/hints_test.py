#!/usr/bin/env python3
"""Barriers that are suggested, written into the source where the suggestion says: it compiles, and the race is gone.

hints_test.py SMEM_LINT FILE..."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def launches_of(lint, path):
    done = subprocess.run([lint, "--cuda-path=none", "--cache-dir=none", "--fail-on=never", "--checks=-*,smem-race", "--format=json", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert all(file["parsed"] for file in report["files"]), f"{path} does not compile: {done.stderr}"
    return report["launches"]


def pair_of(witness):
    """Its lines, and the kind."""
    return witness["kind"], *sorted(access["line"] for access in witness["accesses"])


def end_of_block(text, at):
    """Where the first brace behind `at` is closed."""
    depth = 0
    for at in range(text.index("{", at), len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("a block without an end")


def end_of_statement(text, at):
    """Behind the statement that begins at `at`, an `if` with all that belongs to it."""
    depth = 0
    while depth or text[at] not in "{;":
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(text[at], 0)
        at += 1
    at = (end_of_block(text, at) if text[at] == "{" else at) + 1
    rest = text[at:].lstrip()
    return end_of_statement(text, len(text) - len(rest) + len("else")) if rest.startswith("else") else at


def written(text, edit):
    """The text with the barrier, on the lines that are there: none is added."""
    lines = text.splitlines(keepends=True)
    at = sum(map(len, lines[: edit["line"]["line"] - 1]))
    at += len(text[at:]) - len(text[at:].lstrip())
    code = re.sub(r"//.*", lambda comment: " " * len(comment[0]), text)
    if edit["where"] == "end_of_loop":
        at = re.compile(r"\b(for|while|do)\b").search(code, at).start()
    if edit["where"] == "before" and not edit["in_braces"]:
        return text[:at] + edit["insert"] + text[at:]
    if edit["where"] == "before":
        end = end_of_statement(code, at)
        return text[:at] + "{" + edit["insert"] + text[at:end] + "}" + text[end:]
    if not edit["in_braces"]:
        end = end_of_block(code, at)
        return text[:end] + edit["insert"] + text[end:]
    begin = end_of_head(code, at)
    end = end_of_statement(code, begin)
    return text[:begin] + "{" + text[begin:end] + edit["insert"] + "}" + text[end:]


def end_of_head(text, at):
    """Behind `for (...)` or `while (...)`."""
    depth = 0
    for at in range(text.index("(", at), len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    raise ValueError("a loop without a body")


def check(lint, path, folder):
    """How many suggestions were written, and what is wrong with them."""
    text = path.read_text()
    wanted = {}  # by suggestion, the races that it ends: launch and pair
    before = launches_of(lint, path)
    for number, launch in enumerate(before):
        for witness in (launch["races"] or {}).get("witnesses", []):
            edits = witness["edits"]
            if len(edits) == 1 and Path(edits[0]["line"]["file"]).name == path.name:
                wanted.setdefault(json.dumps(edits[0]), []).append((number, pair_of(witness)))
    wrong = []
    for suggestion, races in wanted.items():
        edit = json.loads(suggestion)
        place = f"{path}:{edit['line']['line']}: {edit['insert']} {edit['where']}"
        edited = folder / path.name
        edited.write_text(written(text, edit))
        try:
            after = launches_of(lint, edited)
        except AssertionError as error:
            wrong.append(f"{place}: {error}")
            continue
        for number, pair in races:
            if "divergent" == after[number]["barriers"]["verdict"] != before[number]["barriers"]["verdict"]:
                wrong.append(f"{place} is not reached by all threads of launch {number}")
            if pair in map(pair_of, (after[number]["races"] or {}).get("witnesses", [])):
                wrong.append(f"{place} leaves the race {pair} of launch {number}")
    return len(wanted), wrong


def main():
    suggestions, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for path in map(Path, sys.argv[2:]):
            count, problems = check(sys.argv[1], path, Path(folder))
            suggestions += count
            wrong += problems
    print("\n".join(wrong) or f"{suggestions} suggestions were written, and each ends its races")
    sys.exit(bool(wrong) or suggestions == 0)


if __name__ == "__main__":
    main()
