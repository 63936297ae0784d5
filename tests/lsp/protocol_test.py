#!/usr/bin/env python3
"""The language server, by what a client sends and gets.

    tests/lsp/protocol_test.py SMEM-LINT [TEST...]
"""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from client import Client, apply, frame, position  # noqa: E402

TOOL = None

CONFLICT = """\
// größer 🚀: positions count UTF-16 code units
__global__ void columns(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = /* 🚀 */ tile[threadIdx.x][threadIdx.y];
}
int main() {
  float *out = nullptr;
  columns<<<1, dim3(32, 32)>>>(out);
}
"""
CLEAN = CONFLICT.replace("tile[32][32]", "tile[32][33]")
LIBRARY = """\
template <int N>
__global__ void
scale(float *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= N;
}
template __global__ void scale<3>(float *, int);
"""
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 10000, "character": 0}}


def heads(diagnostics):
    return [one["message"].split("\n")[0] for one in diagnostics]


def codes(diagnostics):
    return sorted(one.get("code", "") for one in diagnostics)


class ServerTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *arguments, options=None, capabilities=None, initialize=True):
        client = Client(TOOL, *arguments, cwd=self.folder)
        self.addCleanup(client.end)
        if initialize:
            client.initialize({"delay": 0, **(options or {})}, capabilities)
        return client

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def actions(self, client, uri, at, only=None):
        return client.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": {"start": at, "end": at},
                                                      "context": {"diagnostics": [], **({"only": only} if only else {})}})


class Session(ServerTest):
    def error(self, client, method, params):
        answer = client.reply(client.request(method, params))
        self.assertIn("error", answer)
        return answer["error"]["code"]

    def test_order_of_messages(self):
        client = self.start(initialize=False)
        uri = (self.folder / "k.cu").as_uri()
        document = {"textDocument": {"uri": uri}}
        self.assertEqual(self.error(client, "textDocument/codeLens", document), -32002)
        self.assertEqual(self.error(client, "shutdown", None), -32002)
        client.open(self.folder / "k.cu", CONFLICT)  # before it is initialized: ignored
        capabilities = client.initialize()["capabilities"]
        self.assertEqual(capabilities["positionEncoding"], "utf-16")
        self.assertEqual(self.error(client, "initialize", {}), -32600)
        self.assertEqual(self.error(client, "textDocument/codeLens", document), -32602)  # not open
        self.assertEqual(self.error(client, "textDocument/declaration", document), -32601)
        client.notify("$/whatever", [1, 2])
        client.notify("textDocument/didClose", document)
        client.notify("textDocument/didSave", {})
        client.change(uri, 7, "text of nothing")
        client.ask("shutdown", None)
        self.assertEqual(self.error(client, "textDocument/codeLens", document), -32600)
        client.notify("exit", None)
        self.assertEqual(client.process.wait(timeout=60), 0)

    def test_ends_with_its_client(self):
        client = self.start()
        client.notify("exit", None)
        self.assertEqual(client.process.wait(timeout=60), 1)
        client = self.start()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(timeout=60), 1)

    def test_what_is_no_message(self):
        client = self.start()

        def answer_to(data):
            client.send_bytes(data)
            return client.wait(lambda message: "error" in message)

        for body, code, answered in ((b"{", -32700, None), (b"\xff\xfe", -32700, None), (b"[1]", -32600, None), (b"7", -32600, None),
                                     (b'{"jsonrpc": "2.0"}', -32600, None), (b'{"id": 1005, "method": "shutdown"}', -32600, 1005),
                                     (b'{"jsonrpc": "1.0", "id": 1006, "method": "shutdown"}', -32600, 1006),
                                     (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', -32600, None),
                                     (b'{"jsonrpc": "2.0", "id": 1009, "method": "smem-lint/noMessage"}', -32600, 1009),
                                     (b"[" * 1_000_000, -32700, None)):
            answer = answer_to(frame(body))
            self.assertEqual((answer["error"]["code"], answer["id"]), (code, answered), body[:60])
        # Headers that are none, a length that is none, an answer to nothing, parameters of another kind.
        client.send_bytes(b"Content-Length: many\r\n\r\nhello\r\nContent-Type: text\r\n" + b"x" * 100_000 + b"\r\n")
        client.send_bytes(frame({"jsonrpc": "2.0", "id": 77, "result": {}}))
        client.send_bytes(frame({"jsonrpc": "2.0", "id": "x", "error": {"code": 1, "message": "no"}}))
        for params in (None, 3, [], {}, {"textDocument": 3}, {"textDocument": {"uri": 3}}, {"textDocument": {"uri": "untitled:Untitled-1"}},
                       {"textDocument": {"uri": "file:///a%zz.cu"}, "position": {"line": -1, "character": "x"}}):
            for method in ("didOpen", "didChange", "didSave", "didClose"):
                client.notify("textDocument/" + method, params)
            for method in ("hover", "codeLens", "codeAction", "inlayHint"):
                self.assertEqual(self.error(client, "textDocument/" + method, params), -32602)
            for method in ("$/cancelRequest", "workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles", "initialized"):
                client.notify(method, params)
        path = self.write("k.cu", CONFLICT)
        self.assertEqual(codes(client.diagnostics(client.open(path))), ["smem-bank-conflict"])
        self.assertEqual(client.close(), 0)

    def test_cancelled(self):
        client = self.start()
        uri = client.open(self.write("k.cu", CONFLICT))
        request = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        client.notify("$/cancelRequest", {"id": request})
        client.notify("$/cancelRequest", {"id": 4711})
        answer = client.reply(request)
        self.assertTrue("result" in answer or answer["error"]["code"] == -32800, answer)  # whichever was first
        self.assertTrue(client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}}))

    def test_wrong_options(self):
        client = self.start("--arch=sm_1", initialize=False)
        self.assertEqual(client.process.wait(timeout=60), 2)
        client = self.start("k.cu", initialize=False)
        self.assertEqual(client.process.wait(timeout=60), 2)
        client = self.start(options={"inlayHints": "some", "delay": -5, "arguments": ["--no-such-option"], "codeLens": "x"})
        complaints = [one["params"]["message"] for one in client.notifications if one["method"] == "window/logMessage"]
        self.assertEqual(len(complaints), 3)
        (diagnostic,) = client.diagnostics(client.open(self.write("k.cu", CONFLICT)))
        self.assertIn("unknown option '--no-such-option'", diagnostic["message"])
        self.assertEqual(client.close(), 0)


class Answers(ServerTest):
    def test_conversation(self):
        """One document, and all that is shown of it."""
        client = self.start()
        path = self.write("k.cu", CONFLICT)
        uri = client.open(path)
        (diagnostic,) = client.diagnostics(uri, 1)
        access = position(CONFLICT, "tile[threadIdx.x]")
        self.assertEqual(diagnostic["range"], {"start": access, "end": position(CONFLICT, ";\n}\nint")})
        self.assertEqual((diagnostic["severity"], diagnostic["code"], diagnostic["source"]), (2, "smem-bank-conflict", "smem-lint"))
        self.assertEqual(diagnostic["message"].split("\n")[0], "32-way bank conflict: load of tile[threadIdx.x][threadIdx.y] takes 32 wavefronts instead of 1")
        self.assertIn("\ncause: lanes 0-31", diagnostic["message"])
        (related,) = diagnostic["relatedInformation"]
        self.assertEqual(related["location"], {"uri": uri, "range": {"start": position(CONFLICT, "tile"), "end": position(CONFLICT, "[32]")}})

        inside = {**access, "character": access["character"] + 10}
        hover = client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": inside})
        self.assertEqual(hover["range"]["start"], access)
        self.assertIn("| `columns grid=(1) block=(32,32)` | 32 | 1,024 | 32 | 32x | exact |", hover["contents"]["value"])
        self.assertIn("lanes 0-31        " + "#" + "." * 31, hover["contents"]["value"])
        self.assertIsNone(client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position(CONFLICT, "int main")}))
        hover = client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position(CONFLICT, "out[threadIdx.x]")})
        self.assertIn("+0  ####  lanes 0-31", hover["contents"]["value"])

        hints = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": EVERYTHING})
        self.assertEqual(sorted((one["position"]["line"], one["label"]) for one in hints), [(3, "1-way"), (3, "4 sectors"), (5, "32-way"), (5, "4 sectors")])
        line = {"start": {"line": 3, "character": 0}, "end": {"line": 4, "character": 0}}
        self.assertEqual(len(client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": line})), 2)
        (lens,) = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        self.assertEqual(lens["range"], {"start": position(CONFLICT, "columns"), "end": position(CONFLICT, "(float")})
        self.assertIn("grid=(1) block=(32,32) from host code on line 10 | worst: 32-way on line 6", lens["command"]["title"])

        # Nothing of what follows is within the text.
        for at in ({"line": 5, "character": 100000}, {"line": 100000, "character": 3}, {"line": 2**31 - 1, "character": 2**31 - 1}, {"line": -4, "character": -4}):
            client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
            self.actions(client, uri, at)

        client.notify("workspace/didChangeConfiguration", {"settings": {"smem-lint": {"inlayHints": "costly"}}})
        hints = client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": EVERYTHING})
        self.assertEqual([one["label"] for one in hints], ["32-way"])
        client.notify("workspace/didChangeConfiguration", {"settings": {"smem-lint": {"inlayHints": "off", "codeLens": False}}})
        self.assertEqual(client.ask("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": EVERYTHING}), [])
        self.assertEqual(client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}}), [])
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.assertEqual(client.diagnostics(uri), [])
        self.assertEqual(client.close(), 0)

    def changed_by(self, client, uri, text, version, at, title):
        """The text after the action that begins with `title`, which is told to the server."""
        actions = self.actions(client, uri, at)
        (action,) = [one for one in actions if one["title"].startswith(title)]
        text = apply(text, action["edit"]["changes"][uri])
        client.change(uri, version, text)
        return text

    def test_actions(self):
        client = self.start()
        path = self.write("k.cu", CONFLICT)
        uri = client.open(path)
        client.diagnostics(uri, 1)
        access = position(CONFLICT, "tile[threadIdx.x]")
        titles = [one["title"] for one in self.actions(client, uri, access)]
        self.assertEqual(titles, ["pad the rows: `float tile[32][33]`", "expect degree<=32, sectors/request<=4 here", "suppress smem-bank-conflict here"])
        self.assertEqual(len(self.actions(client, uri, access, ["refactor"])), 1)
        self.assertEqual(self.actions(client, uri, access, ["source.organizeImports"]), [])
        self.assertEqual(self.changed_by(client, uri, CONFLICT, 2, access, "pad the rows"), CLEAN)
        self.assertEqual(client.diagnostics(uri, 2), [])
        client.change(uri, 3, CONFLICT)
        self.assertEqual(codes(client.diagnostics(uri, 3)), ["smem-bank-conflict"])
        text = self.changed_by(client, uri, CONFLICT, 4, access, "suppress")
        self.assertEqual(text.split("\n")[5], "  // NOLINTNEXTLINE(smem-bank-conflict): TODO: say why this is accepted")
        self.assertEqual(client.diagnostics(uri, 4), [])
        text = self.changed_by(client, uri, text, 5, position(text, "tile[threadIdx.x]"), "expect")
        self.assertEqual(client.diagnostics(uri, 5), [])
        text = text.replace("degree<=32", "degree<=16")
        client.change(uri, 6, text)
        self.assertEqual(codes(client.diagnostics(uri, 6)), ["expectation-broken"])

    def test_launch_comment(self):
        client = self.start()
        text = LIBRARY.replace("\n", "\r\n")
        uri = client.open(self.folder / "new.cu", text)  # which no disk has
        client.diagnostics(uri, 1)
        at = position(text, "scale")
        text = self.changed_by(client, uri, text, 2, at, "state the launch of scale")
        self.assertTrue(text.startswith("// smem-lint: launch block="), text)
        self.assertEqual(text.count("\r\n"), text.count("\n"))
        client.diagnostics(uri, 2)
        (lens,) = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        self.assertIn("from comment", lens["command"]["title"])
        self.assertEqual([one["title"] for one in self.actions(client, uri, position(text, "scale")) if "launch" in one["title"]], [])


class Typing(ServerTest):
    def test_changes(self):
        """Ranges, texts that do not compile, and what is found of the last text only."""
        client = self.start()
        uri = client.open(self.write("k.cu", CLEAN))
        self.assertEqual(client.diagnostics(uri, 1), [])
        begin = position(CLEAN, "33]")
        client.change(uri, 2, ({"start": begin, "end": {**begin, "character": begin["character"] + 2}}, "32"))
        self.assertEqual(codes(client.diagnostics(uri, 2)), ["smem-bank-conflict"])
        emoji = position(CONFLICT, "🚀 */")
        client.change(uri, 3, ({"start": emoji, "end": {**emoji, "character": emoji["character"] + 2}}, "*/ __syncthreads( /*"))
        broken = client.diagnostics(uri, 3)
        self.assertTrue(broken and all(one["severity"] == 1 for one in broken), broken)
        self.assertEqual(client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}}), [])
        for version in range(4, 40):
            client.change(uri, version, CONFLICT + "//" + "x" * version)
        client.change(uri, 40, CLEAN)
        self.assertEqual(client.diagnostics(uri, 40), [])
        seen = [one["params"] for one in client.notifications if one["method"] == "textDocument/publishDiagnostics"]
        self.assertEqual(sorted(one["version"] for one in seen), [one["version"] for one in seen])
        self.assertEqual(client.close(), 0)

    def test_compiler_errors_of_clangd(self):
        client = self.start(options={"compilerErrors": False})
        uri = client.open(self.write("k.cu", CONFLICT.replace("__syncthreads();", "__syncthreads(;")))
        (diagnostic,) = client.diagnostics(uri)
        self.assertEqual((diagnostic["severity"], diagnostic["message"]), (3, "not analysed: the file does not compile"))

    def test_on_save_only(self):
        client = self.start(options={"whileTyping": False})
        path = self.write("k.cu", CLEAN)
        uri = client.open(path)
        self.assertEqual(client.diagnostics(uri, 1), [])
        client.change(uri, 2, CONFLICT)
        path.write_text(CONFLICT, encoding="utf-8")
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        self.assertEqual(codes(client.diagnostics(uri, 2)), ["smem-bank-conflict"])

    def test_held_requests_of_an_old_text(self):
        client = self.start(options={"delay": 60000})
        uri = client.open(self.write("k.cu", CLEAN))
        client.diagnostics(uri, 1)
        client.change(uri, 2, CONFLICT)
        lens = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        client.change(uri, 3, CLEAN)
        self.assertEqual(client.reply(lens)["error"]["code"], -32801)
        hover = client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}})
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.assertEqual(client.reply(hover)["error"]["code"], -32801)
        self.assertEqual(client.close(), 0)


class Files(ServerTest):
    def test_header_that_is_not_saved(self):
        header = self.write("tile.cuh", CONFLICT.split("int main")[0].replace("__global__ void columns", "#pragma once\n__device__ void body"))
        main = self.write("k.cu", '#include "tile.cuh"\n__global__ void k(float *out) { body(out); }\nint main() { k<<<1, dim3(32, 32)>>>(nullptr); }\n')
        client = self.start()
        main_uri, header_uri = main.as_uri(), header.as_uri()
        client.open(main)
        self.assertEqual(codes(client.diagnostics(header_uri)), ["smem-bank-conflict"])  # though it is not open
        client.open(header)
        client.change(header_uri, 2, header.read_text(encoding="utf-8").replace("[32][32]", "[32][33]"))
        self.assertEqual(client.diagnostics(header_uri, 2), [])
        client.notify("textDocument/didClose", {"textDocument": {"uri": header_uri}})
        while codes(client.diagnostics(header_uri)) != ["smem-bank-conflict"]:  # what the disk has
            pass
        client.notify("textDocument/didClose", {"textDocument": {"uri": main_uri}})
        self.assertEqual(client.diagnostics(header_uri), [])

    def test_database_and_configuration_that_change(self):
        text = CONFLICT.replace("[32][32]", "[32][WIDTH]")
        path = self.write("src/k.cu", text)
        database = self.folder / "src/compile_commands.json"

        def compiled_with(width):
            database.write_text(json.dumps([{"directory": str(path.parent), "file": str(path), "command": f"nvcc -DWIDTH={width} -c k.cu"}]))
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": database.as_uri(), "type": 2}]})

        client = self.start()
        uri = client.open(path)
        self.assertEqual(client.diagnostics(uri)[0]["severity"], 1)
        compiled_with(32)
        self.assertEqual(codes(client.diagnostics(uri)), ["smem-bank-conflict"])
        compiled_with(33)
        self.assertEqual(client.diagnostics(uri), [])
        database.write_text("[{")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": database.as_uri(), "type": 2}, {"uri": "no:uri"}, 5]})
        self.assertTrue(client.diagnostics(uri))
        compiled_with(32)
        client.diagnostics(uri)
        config = self.write("src/.smem-lint.yaml", "Checks: '-smem-bank-conflict'\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 1}]})
        self.assertEqual(client.diagnostics(uri), [])
        config.write_text("Cheks: '*'\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        (diagnostic,) = client.diagnostics(uri)
        self.assertEqual(diagnostic["severity"], 1)
        self.assertEqual(client.close(), 0)

    def test_several(self):
        client = self.start("--", "-DWIDTH=32")
        uris = [client.open(self.write(f"{name}.cu", CONFLICT.replace("[32][32]", width))) for name, width in
                (("a b", "[32][WIDTH]"), ("ü%20", "[32][WIDTH + 1]"), ("c", "[32][32]"))]
        found = {}
        while len(found) < 3:
            message = client.wait(lambda one: one.get("method") == "textDocument/publishDiagnostics")
            found[message["params"]["uri"]] = codes(message["params"]["diagnostics"])
        self.assertEqual([found[uri] for uri in uris], [["smem-bank-conflict"], [], ["smem-bank-conflict"]])
        plain = client.open(self.write("plain.cpp", "int x = ;\n"), language="cpp")  # clangd's
        self.assertIsNone(client.ask("textDocument/hover", {"textDocument": {"uri": plain}, "position": {"line": 0, "character": 0}}))
        self.assertEqual(client.close(), 0)


if __name__ == "__main__":
    TOOL = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
