#!/usr/bin/env python3
"""What the language server shows of a file: for the documentation.

    docs/tools/editor.py hover FILE TEXT        the page below the cursor on the first TEXT, in a quotation
    docs/tools/editor.py hints FILE             the file's kernels with what stands beside the accesses
"""
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/lsp"))
from client import Client, position  # noqa: E402


def main():
    what, name = sys.argv[1:3]
    text = pathlib.Path(name).read_text(encoding="utf-8")
    client = Client(shutil.which("smem-lint"))
    client.initialize({"delay": 0, "fixes": False})
    document = {"textDocument": {"uri": client.open(name)}}
    if what == "hover":
        page = client.ask("textDocument/hover", {**document, "position": position(text, sys.argv[3])})["contents"]["value"]
        print("\n".join("> " + line for line in page.rstrip("\n").splitlines()))
    else:
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 100000, "character": 0}}
        hints, lines = {}, text.splitlines()
        for hint in client.ask("textDocument/inlayHint", {**document, "range": everything}):
            hints.setdefault(hint["position"]["line"], []).append((hint["position"]["character"], hint["label"]))
        lenses = {one["range"]["start"]["line"]: one["command"]["title"] for one in client.ask("textDocument/codeLens", document)}
        end = 0
        for number, line in enumerate(lines):
            if number in lenses:
                print(lenses[number])
                end = next(at for at in range(number, len(lines)) if lines[at] == "}") + 1
            if number >= end:
                continue
            for character, label in sorted(hints.get(number, []), reverse=True):
                line = f"{line[:character]} «{label}»{line[character:]}"
            print(line)
    client.close()


if __name__ == "__main__":
    main()
