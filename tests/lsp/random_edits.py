#!/usr/bin/env python3
"""Random edits and requests through the language server.

    tests/lsp/random_edits.py SMEM-LINT [--edits N] [--seed S] [--pause EDITS]     long: --edits 10000

Files of kernels/ are open; their texts are changed at random, within lines, over them, into what does not compile and back, and questions are asked of them.
The server has to live; after each pause what it has published last has to be what an analysis of that text says by itself; and it must not grow.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from client import Client, apply, position  # noqa: E402

KERNELS = ["reduction_interleaved.cu", "transpose_padded.cu", "histogram.cu"]
PIECES = ["}", "{", ";", "(", "[32]", "[33]", "threadIdx.x", "__syncthreads();", "\n", "\r\n", "\t", "ü", "🚀", "\0", "/*", "*/", '"', "'", "#if 0\n", "template <", "\\\n",
          "// NOLINT(", "// smem-lint: launch block=", "__global__ void f(", "asm(\"", "while (true)", "int x = 1 / 0;", "#include \"nothing.h\"\n", "#define A A A A\n"]


def units(text):
    return len(text.encode("utf-16-le")) // 2


def place(text, at):
    lines = re.split("\r\n|\r|\n", text[:at])
    return {"line": len(lines) - 1, "character": units(lines[-1])}


def between_characters(text, at):
    """No position is within the end of a line."""
    return at - 1 if 0 < at < len(text) and text[at - 1 : at + 1] == "\r\n" else at


def resident(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("the server is gone")


def by_itself(tool, path, text):
    """Lines and messages that an analysis of the text finds."""
    run = subprocess.run([tool, "--for-editor", "--quiet", path], input=json.dumps({str(path): text}), capture_output=True, text=True)
    if not run.stdout.strip():
        return None
    view = json.loads(run.stdout)
    found = [(one["line"], one["message"]) for one in view["findings"] if one["file"] == str(path)]
    found += [(one["line"], one["message"]) for one in view["problems"] if one["severity"] != "note" or one["incomplete"]]
    lines = len(re.split("\r\n|\r|\n", text))
    return {(min(max(line, 1), lines), message.split("\n")[0]) for line, message in found}


class Editor:
    """A document, its text as a client has it."""

    def __init__(self, client, path, rng):
        self.client, self.path, self.rng, self.version = client, path, rng, 1
        self.original = self.text = path.read_text(encoding="utf-8")
        self.uri = client.open(path)

    def edit(self):
        self.version += 1
        kind = self.rng.random()
        if kind < 0.08:
            self.text = self.original
            return self.client.change(self.uri, self.version, self.text)
        changes = []
        for _ in range(self.rng.choice([1, 1, 1, 2, 5])):
            begin = between_characters(self.text, self.rng.randrange(len(self.text) + 1))
            end = between_characters(self.text, min(len(self.text), begin + self.rng.choice([0, 0, 0, 1, 1, 3, 40])))
            new = self.rng.choice([*PIECES, "", "", self.text[begin:end] * 2])
            changes.append(({"start": place(self.text, begin), "end": place(self.text, end)}, new))
            self.text = self.text[:begin] + new + self.text[end:]
        self.client.change(self.uri, self.version, *changes)

    def ask(self):
        at = {"line": self.rng.randrange(-1, self.text.count("\n") + 5), "character": self.rng.choice([0, 3, 20, 500])}
        document = {"textDocument": {"uri": self.uri}}
        method, params = self.rng.choice([
            ("hover", {"position": at}), ("codeLens", {}), ("inlayHint", {"range": {"start": {"line": 0, "character": 0}, "end": at}}),
            ("codeAction", {"range": {"start": at, "end": at}, "context": {"diagnostics": []}}), ("declaration", {"position": at})])
        return self.client.request("textDocument/" + method, {**document, **params})


def last_shown(client, editor):
    """What was published last, if it is of the text as it is."""
    for message in reversed(client.notifications):
        if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == editor.uri:
            if message["params"].get("version") != editor.version:
                return None
            return {(each["range"]["start"]["line"] + 1, each["message"].split("\n")[0]) for each in message["params"]["diagnostics"]}
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("--edits", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=int, default=20)
    arguments = parser.parse_args()
    tool = str(arguments.tool.resolve())
    rng = random.Random(arguments.seed)
    kernels = pathlib.Path(__file__).resolve().parents[2] / "kernels"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        for name in ["catalogue.h", *KERNELS]:
            (folder / name).write_bytes((kernels / name).read_bytes())
        client = Client(tool, cwd=folder)
        client.initialize({"delay": 5, "fixes": False}, {"window": {"workDoneProgress": True}})
        editors = [Editor(client, folder / name, rng) for name in KERNELS]
        requests, early = [], None
        for number in range(1, arguments.edits + 1):
            editor = rng.choice(editors)
            editor.edit()
            if rng.random() < 0.5:
                requests.append(editor.ask())
            if rng.random() < 0.1 and requests:
                client.notify("$/cancelRequest", {"id": rng.choice(requests)})
            if number % arguments.pause:
                continue
            for request in requests:
                answer = client.reply(request)
                assert "result" in answer or answer["error"]["code"] in (-32800, -32801, -32601), answer
            requests = []
            for one in editors:
                expected = by_itself(tool, one.path, one.text)
                while (shown := last_shown(client, one)) is None or (expected is not None and shown != expected):  # races come after costs
                    try:
                        client.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics")
                    except AssertionError as error:
                        sys.exit(f"seed {arguments.seed}, edit {number}, {one.path.name}: {error}; it shows\n{shown}\nand the analysis finds\n{expected}")
            client.notifications = client.notifications[-200:]
            if number >= arguments.edits // 5 and early is None:
                early = resident(client.process.pid)
        late = resident(client.process.pid)
        assert client.close() == 0
        print(f"{arguments.edits} edits, seed {arguments.seed}: {early} KiB after a fifth of them, {late} KiB at the end")
        if arguments.edits >= 1000 and late > 1.1 * early:
            sys.exit("the server grows")


if __name__ == "__main__":
    main()
