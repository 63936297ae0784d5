"""A client of the language server for tests: sends what it is told, keeps what comes."""
import json
import pathlib
import queue
import subprocess
import threading

SECONDS = 120  # that an answer may take on a machine with other work: a limit against hanging, no expectation


def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Client:
    def __init__(self, tool, *arguments, cwd=None, env=None):
        self.process = subprocess.Popen([str(tool), "lsp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, env=env)
        self.messages = queue.Queue()
        self.notifications = []
        self.replies = {}  # that were not asked for yet
        self.errors = b""
        self.next_id = 0
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._read_errors)]
        for thread in self.threads:
            thread.start()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline()).strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not line or length is None:
                break
            self.messages.put(json.loads(stream.read(length)))
        self.messages.put(None)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors = (self.errors + line)[-20000:]

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send_bytes(frame({"jsonrpc": "2.0", "method": method, "params": params}))

    def request(self, method, params):
        """Sends; the id, to wait for."""
        self.next_id += 1
        self.send_bytes(frame({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}))
        return self.next_id

    def _next(self):
        try:
            message = self.messages.get(timeout=SECONDS)
        except queue.Empty:
            raise AssertionError("the server does not answer") from None
        if message is None:
            raise AssertionError(f"the server is gone: exit code {self.process.wait()}\n{self.errors.decode(errors='replace')}")
        if "method" in message and "id" in message:  # it asks for something: granted
            self.send_bytes(frame({"jsonrpc": "2.0", "id": message["id"], "result": None}))
        return message

    def wait(self, wanted):
        """The next message that `wanted` accepts; notifications and replies on the way are kept."""
        while True:
            message = self._next()
            if "method" in message:
                self.notifications.append(message)
            else:
                self.replies[message.get("id")] = message
            if wanted(message):
                return message

    def reply(self, request):
        while request not in self.replies:
            self.wait(lambda message: "method" not in message)
        return self.replies.pop(request)

    def ask(self, method, params):
        answer = self.reply(self.request(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def diagnostics(self, uri, version=None):
        """The next that are published of a document, of that version if one is given."""
        return self.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri
                         and (version is None or message["params"].get("version") == version))["params"]["diagnostics"]

    def initialize(self, options=None, capabilities=None):
        result = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities or {}, "initializationOptions": options})
        self.notify("initialized", {})
        return result

    def open(self, path, text=None, language="cuda", version=1):
        uri = pathlib.Path(path).resolve().as_uri()
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": version,
                                                              "text": pathlib.Path(path).read_text(encoding="utf-8") if text is None else text}})
        return uri

    def change(self, uri, version, *changes):
        """Whole texts, or (range, text)."""
        events = [{"text": one} if isinstance(one, str) else {"range": one[0], "text": one[1]} for one in changes]
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": events})

    def end(self):
        """Whatever state it is in."""
        self.process.kill()
        self.process.wait()
        for thread in self.threads:
            thread.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass

    def close(self):
        """The exit code, after an orderly end."""
        self.ask("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=SECONDS)


def offset_of(text, position):
    """The character that a position, which counts UTF-16 code units, stands before."""
    lines = text.split("\n")
    if position["line"] >= len(lines):
        return len(text)
    line, units, index = lines[position["line"]], 0, 0
    while index < len(line) and units < position["character"]:
        units += 2 if ord(line[index]) > 0xFFFF else 1
        index += 1
    return sum(len(one) + 1 for one in lines[:position["line"]]) + index


def apply(text, edits):
    """A text with the edits of a WorkspaceEdit for it."""
    for edit in sorted(edits, key=lambda one: (one["range"]["start"]["line"], one["range"]["start"]["character"]), reverse=True):
        begin, end = (offset_of(text, edit["range"][side]) for side in ("start", "end"))
        text = text[:begin] + edit["newText"] + text[end:]
    return text


def position(text, needle, occurrence=0):
    """Where the text has something, in UTF-16 code units."""
    at = -1
    for _ in range(occurrence + 1):
        at = text.index(needle, at + 1)
    before = text[:at]
    line_begin = before.rfind("\n") + 1
    return {"line": before.count("\n"), "character": len(before[line_begin:].encode("utf-16-le")) // 2}
