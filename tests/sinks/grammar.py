"""What each output has to look like, whatever was analysed. Every function raises AssertionError with the offending part."""
import html.parser
import json
import re
import unicodedata

OUR_COLORS = re.compile(r"\x1b\[(0|1|2|3[1-6]|1;3[156])m")
LOG_COMMAND = re.compile(r"##(\[|vso\[|teamcity\[)")


def is_hidden(character):
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") or character == "\u180e"


def visible(data, colors=False):
    """Text as it is printed: UTF-8, no control character but line feeds, and tabs in quoted source lines. Returns it without colours."""
    text = data.decode("utf-8")
    if colors:
        text = OUR_COLORS.sub("", text)
    for line in text.split("\n"):
        quoted = re.match(r" *\d* \| ", line)
        for character in line:
            assert not is_hidden(character) or (character == "\t" and quoted), f"U+{ord(character):04X} in {line!r}"
    return text


def no_commands(text):
    """Nothing in it is a command to a CI system's log."""
    for line in text.split("\n"):
        assert not line.lstrip().startswith("::"), line
        assert not LOG_COMMAND.search(line), line


def plain(data, colors=False):
    no_commands(visible(data, colors))


def oneline(data, colors=False):
    text = visible(data, colors)
    no_commands(text)
    for line in text.splitlines():
        assert re.fullmatch(r"[^:].*(:\d+(:\d+)?)?: (note|warning|error): .* \[[a-z-]+\]", line), line


def github(data):
    text = visible(data)
    for line in text.splitlines():
        assert re.fullmatch(r"::(notice|warning|error) (file=[^:,]*,)?(line=\d+,)?(col=\d+,)?title=[^:,]*::.*|smem-lint: \d+ of .*", line), line
        assert not LOG_COMMAND.search(line), line


def cells(row):
    """How many cells a row of a table has; a bar after a backslash is text."""
    return len(re.findall(r"(?<!\\)\|", row)) - 1


def markdown(data):
    text = visible(data)
    no_commands(text)
    width = 0
    for line in text.split("\n"):
        if line.startswith("|"):
            width = width or cells(line)
            assert cells(line) == width, line
        else:
            width = 0
            assert not re.match(r"#+ (?!smem-lint|Predicted)", line), line  # headings are ours
        prose = re.sub(r"`[^`]*`", "", re.sub(r"\\.", "", line))
        assert "`" not in prose, line
        for tag in re.findall(r"<[^>]*>?", prose):
            assert tag in ("<br>", "<details>", "</details>", "<summary>", "</summary>"), line
        assert "![" not in prose and "](" not in prose and not re.search(r"@(?!&#8203;)|://|\bwww\.", prose), line


def json_text(data):
    visible(data)
    assert not LOG_COMMAND.search(data.decode("utf-8"))
    return json.loads(data)


class Page(html.parser.HTMLParser):
    VOID = ("meta", "link", "br", "input")
    KNOWN = VOID + ("html", "head", "title", "style", "body", "h1", "h2", "h3", "p", "ul", "ol", "li", "b", "i", "kbd", "div", "button", "code", "details", "summary", "table", "thead",
                    "tbody", "tr", "th", "td", "script", "span", "section", "a", "svg", "path", "rect", "text", "tspan", "g", "line", "circle", "polyline", "header", "pre", "small", "strong", "dl", "dt", "dd", "label",
                    "main", "form", "select", "optgroup", "option", "output")

    def __init__(self):
        super().__init__()
        self.open, self.code, self.data = [], 0, []

    def handle_starttag(self, tag, attrs):
        assert tag in self.KNOWN, tag
        for name, value in attrs:
            assert not name.startswith("on") and "javascript:" not in (value or ""), (tag, name, value)
        if tag == "script":
            if ("type", "application/json") in attrs:
                self.data.append("")
            else:
                self.code += 1
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            if self.data and not self.code:
                self.data[-1] += data


def html_page(data):
    text = data.decode("utf-8")
    for character in text:
        assert not is_hidden(character) or character in "\n\t", f"U+{ord(character):04X}"
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert page.code <= 1 and len(page.data) <= 3, "more scripts than ours"
    for data_of_page in page.data:  # before the code
        json.loads(data_of_page)


OF_FORMAT = {"text": plain, "oneline": oneline, "github": github, "markdown": markdown, "json": json_text, "sarif": json_text, "gitlab": json_text, "html": html_page}
