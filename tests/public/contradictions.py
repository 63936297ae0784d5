#!/usr/bin/env python3
"""Whether the launches that a report assumes can be the host code's: `contradictions.py REPORT.json...` prints what cannot.

Goes by the text of the host code alone, so that it shares no mistake with the analyser: the values that a launch gives its arguments are what the
variables passed there have; with these the grid and block expressions of the launch, the other arguments, and the conditions and checks that the launch
stands behind are evaluated, as far as every name in them has one value in the function. What is not understood is left out, so no contradiction is
invented; some are missed. A launch behind a condition that the source alone makes false (`int mode = 10; if (mode == 9)`) is in dead code: no value that
a launch chooses has to do with that, and it is counted by itself.
"""
import collections
import json
import pathlib
import re
import sys

import host_expressions
from host_expressions import Unknown
from kernels_of_text import COMMENTS

TYPES = r"(?:(?:const|constexpr|static|unsigned|signed|long|short|int|auto|size_t|std::size_t|u?int(?:8|16|32|64)_t|std::u?int(?:32|64)_t|uint|float|double|bool)\s+)+"
DIMS = ("x", "y", "z")


def host_texts(report):
    """Text of each file in which a launch stands."""
    texts = {}
    for launch in report["launches"]:
        place = launch["origin"]["location"]
        if place and place["file"] not in texts:
            try:
                texts[place["file"]] = pathlib.Path(place["file"]).read_text(errors="replace")
            except OSError:
                pass
    return texts


def blank(text):
    """Comments and strings as blanks: every other character keeps its place."""
    return COMMENTS.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def split(text):
    """At commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and not depth:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts]


def closing(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if not depth:
            return i
    return None


class Site:
    """A launch in the text: its expressions, the function around it, the blocks around it."""

    def __init__(self, text, line, column):
        self.text = text
        self.at = sum(len(part) + 1 for part in text.split("\n")[:line - 1]) + column - 1
        opening = text.find("<<<", self.at)
        if opening < 0 or opening - self.at > 300 or re.search(r"[;{}]", text[self.at:opening]):
            raise Unknown("no launch there")
        end = text.find(">>>", opening)
        paren = re.compile(r"\s*\(").match(text, end + 3) if end > 0 else None
        if not paren or (last := closing(text, paren.end() - 1)) is None:
            raise Unknown("no launch there")
        self.configuration = split(text[opening + 3:end])
        inside = text[paren.end():last]
        self.arguments = split(inside) if inside.strip() else []
        self.blocks = self.enclosing()
        if not self.blocks:
            raise Unknown("no function")
        self.function = text[self.blocks[0][0]:self.at]
        self.whole = self.blocks[0][1] + text[self.blocks[0][0]:closing(text, self.blocks[0][0])]

    def enclosing(self):
        """(offset, what stands before it) of every `{` around the launch, the function's first."""
        stack = []
        for i in range(self.at):
            if self.text[i] == "{":
                stack.append(i)
            elif self.text[i] == "}" and stack:
                stack.pop()
        found = []
        for at in stack:
            start = max(self.text.rfind(c, 0, at) for c in ";{}")
            found.append((at, re.sub(r"^\s*#.*$", "", self.text[start + 1:at], flags=re.M)))
        while found and not re.search(r"\)\s*(?:const|noexcept|override|->\s*[\w:<>]+|\s)*$", found[0][1]):
            found.pop(0)  # namespaces, extern "C", classes
        return found


def passed(site, arguments):
    """The text and the value of each argument that is no structure."""
    pieces = collections.Counter(argument["index"] for argument in arguments)
    return [(site.arguments[each["index"]], each) for each in arguments if each["index"] < len(site.arguments) and pieces[each["index"]] == 1 and not each["offset"]]


class Values:
    def __init__(self, site, arguments):
        self.site, self.direct, self.local, self.busy = site, {}, {}, set()
        for text, argument in passed(site, arguments):
            value = argument.get("value")
            if not re.fullmatch(r"[A-Za-z_]\w*", text) or value is None or argument["pointer"]:
                continue
            if re.search(r"float|double|half", argument["type"]):
                continue
            if self.direct.setdefault(text, value) != value:
                raise Contradiction(f"{text} is {self.direct[text]} and {value}")

    def evaluate(self, text, lookup):
        return host_expressions.evaluate(text, lookup, self.call)

    def call(self, name, arguments):
        """Of a macro of one line, or of a function that only returns an expression."""
        found = [(parameters, body) for parameters, body in re.findall(rf"^[ \t]*#[ \t]*define[ \t]+{name}\(([^()]*)\)[ \t]*(.*[^\\\n])$", self.site.text, re.M)]
        found += re.findall(rf"\b{TYPES}{name}\s*\(([^(){{}}]*)\)\s*{{\s*return\b([^;{{}}]*);\s*}}", self.site.text)
        if len(found) != 1 or "::" in name:
            raise Unknown(name)
        parameters = re.findall(r"([A-Za-z_]\w*)\s*(?:,|$)", found[0][0].strip())
        if len(parameters) != len(arguments):
            raise Unknown(name)
        known = dict(zip(parameters, arguments))

        def lookup(inner):
            if inner not in known:
                raise Unknown(inner)
            return known[inner]
        return host_expressions.evaluate(found[0][1], lookup)

    def assignments(self, name):
        return len(re.findall(rf"(?<![\w.>]){name}\s*(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)|(?:\+\+|--|(?<!&)&)\s*{name}\b(?!\s*[\w(])", self.site.whole))

    def lookup_at_launch(self, name):
        return self.direct[name] if name in self.direct else self.lookup(name)

    def lookup(self, name):
        """Of a name that has one value in the whole function, or of an axis of a dim3."""
        if name[-2:] in (".x", ".y", ".z"):
            value = self.dimensions(name[:-2])["xyz".index(name[-1])]
            if value is None:
                raise Unknown(name)
            return value
        definitions = re.findall(rf"\b{TYPES}{name}\s*(?:=(?!=)\s*([^;,]*(?:\([^;]*\)[^;,]*)*)\s*[;,]|\(([^;]*)\)\s*;)", self.site.whole)
        if name in self.direct and self.assignments(name) <= (1 if definitions else 0):
            return self.direct[name]
        if name in self.busy:
            raise Unknown(name)
        self.busy.add(name)
        try:
            if len(definitions) == 1 and self.assignments(name) <= 1:
                value = self.evaluate(definitions[0][0] or definitions[0][1], self.lookup)
                integral = re.search(rf"\b({TYPES}){name}\s*(?:=|\()", self.site.whole)[1]
                return value if re.search(r"float|double|auto", integral) else int(value)
            if definitions or re.search(rf"[\w>*&]\s+[*&]?\b{name}\b\s*(?:[=;,)\[{{(]|$)", self.site.whole):
                raise Unknown(name)  # a local or a parameter that is not followed
            constants = re.findall(rf"^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+(.+)$|\b(?:constexpr|const)\s+{TYPES}?{name}\s*=\s*([^;]+);", self.site.text, re.M)
            if len(constants) == 1 and not re.search(rf"^[ \t]*#[ \t]*if.*\b{name}\b", self.site.text, re.M):
                return self.evaluate(constants[0][0] or constants[0][1], self.lookup)
            raise Unknown(name)
        finally:
            self.busy.discard(name)

    def dimensions(self, text):
        """Of a dim3 or an integer expression; an axis that is not known is None."""
        match = re.fullmatch(r"dim3\s*([({])(.*)[)}]", text, re.S)
        if not match and re.fullmatch(r"[A-Za-z_]\w*", text):
            found = [inside for name, inside in declared_dimensions(self.site.whole) if name == text]
            changed = len(re.findall(rf"(?<![\w.]){text}\s*(?:\.\s*[xyz]\s*)?[-+*/]?=(?!=)|&\s*{text}\b", self.site.whole))
            if len(found) == 1 and found[0] is not None and changed <= len(re.findall(rf"\bdim3\s[^;]*\b{text}\s*=", self.site.whole)):
                return self.axes(found[0], self.lookup)
            if found or re.search(rf"\bdim3\s[^;]*\b{text}\b", self.site.whole):
                raise Unknown(text)
        if match:
            return self.axes(match[2], self.lookup_at_launch)
        return [int(self.evaluate(text, self.lookup_at_launch)), 1, 1]

    def axes(self, text, lookup):
        values = []
        for part in split(text) if text.strip() else []:
            try:
                values.append(int(self.evaluate(part, lookup)))
            except Unknown:
                values.append(None)
        return values + [1] * (3 - len(values))


def declared_dimensions(text):
    """(name, what stands in its brackets) of each dim3 variable; None for one that is initialised otherwise."""
    for start in re.finditer(r"\bdim3\s+(?=[A-Za-z_])", text):
        at = start.end()
        while match := re.compile(r"\s*([A-Za-z_]\w*)\s*(?:=\s*)?(?:dim3\s*)?([({])?").match(text, at):
            end = closing(text, match.start(2)) if match[2] else None
            yield match[1], text[match.end():end] if end else None
            if not end or text[end + 1:].lstrip()[:1] != ",":
                break
            at = text.index(",", end) + 1


class Contradiction(Exception):
    pass


CHECKS = re.compile(r"\b(assert|TORCH_CHECK|AT_ASSERT|AT_CHECK|CHECK|GGML_ASSERT|FT_CHECK|TORCH_INTERNAL_ASSERT|if)\s*\(")


def guards(site):
    """(condition, whether it has to hold) of what the launch stands behind."""
    for at, before in site.blocks[1:]:
        if condition := condition_of(before):
            yield condition, True
    start = max(site.text.rfind(c, 0, site.at) for c in ";{}")
    if condition := condition_of(site.text[start + 1:site.at]):
        yield condition, True
    depth, i = 0, 0
    body = site.function[1:]
    for match in CHECKS.finditer(body):
        for c in body[i:match.start()]:
            depth += (c == "{") - (c == "}")
        i = match.start()
        if depth or body[:match.start()].rstrip()[-1:] not in ("", ";", "{", "}"):
            continue  # part of another statement, or of a block around the launch
        end = closing(body, match.end() - 1)
        if end is None:
            return
        condition = body[match.end():end]
        if match[1] != "if":
            yield split(condition)[0], True
        elif leaves(body[end + 1:]):
            yield condition, False


def leaves(text):
    """Whether a statement, or the last one of a block, ends the function or the program."""
    start = len(text) - len(text.lstrip())
    if text[start:start + 1] == "{":
        end = closing(text, start)
        text = re.split(r"[;{}]", text[start + 1:end].rstrip().rstrip(";"))[-1] if end else ""
    return bool(re.match(r"\s*(?:return|throw)\b|\s*(?:std::)?(?:exit|abort)\s*\(", text))


def condition_of(text):
    """Of `if (…)` that ends the text; an `else if` is left to its own text, whatever the ifs before it say."""
    match = re.search(r"\bif\s*(?:constexpr\s*)?(\()", text)
    if not match or (end := closing(text, match.start(1))) is None or text[end + 1:].strip():
        return None
    return text[match.end():end]


def broken_guards(site, values):
    """(condition, what it is) where host code cannot get past it."""
    for condition, holds in guards(site):
        try:
            value = bool(values.evaluate(condition, values.lookup))
        except (Unknown, ValueError, OverflowError):
            continue
        if value != holds:
            yield " ".join(condition.split()), value


def is_dead(launch, text):
    """Whether constants of the source alone keep host code from the launch."""
    place = launch["origin"]["location"]
    try:
        site = Site(text, place["line"], place["column"])
    except Unknown:
        return False
    return any(broken_guards(site, Values(site, [])))


def of_launch(launch, text):
    place = launch["origin"]["location"]
    try:
        site = Site(text, place["line"], place["column"])
        if any(broken_guards(site, Values(site, []))):
            return []
        values = Values(site, launch["arguments"])
    except Unknown:
        return []
    except Contradiction as reason:
        return [str(reason)]
    found = []
    for name, expression, chosen in (("grid", site.configuration[0], launch["grid"]), ("block", site.configuration[1] if len(site.configuration) > 1 else "", launch["block"])):
        try:
            wanted = values.dimensions(expression)
        except (Unknown, ValueError, OverflowError):
            continue
        for axis, has, should in zip(DIMS, chosen, wanted):
            if should is not None and has != should:
                found.append(f"{name}.{axis} is {has}, `{expression}` gives {should}")
    for text, argument in passed(site, launch["arguments"]):
        if re.fullmatch(r"[A-Za-z_]\w*", text) or argument["pointer"] or not isinstance(argument.get("value"), int) or re.search(r"float|double|half|bool", argument["type"]):
            continue
        try:
            should = values.evaluate(text, values.lookup_at_launch)
            if not isinstance(should, int):
                continue # the report has a float's bits, whatever its type is called
            if should < 0 <= argument["value"]: # an unsigned parameter
                should %= 2 ** argument.get("width_bits", 64)
        except (Unknown, ValueError, OverflowError):
            continue
        if should != argument["value"]:
            found.append(f"{argument['name']} is {argument['value']}, `{text}` gives {should}")
    for condition, value in broken_guards(site, values):
        found.append(f"`{condition}` is {str(value).lower()}: the host code does not get to the launch")
    return found


def of(report, texts):
    """Sentences, one for each contradiction of a launch."""
    texts = {name: blank(text) for name, text in texts.items()}
    found = []
    for launch in report["launches"]:
        place = launch["origin"]["location"]
        if place and place["file"] in texts:
            known = ", ".join(f"{a['name']}={a['value']}" for a in launch["arguments"] if a.get("value") is not None and not a["pointer"])
            found += [f"{place['file']}:{place['line']}: {launch['kernel']}: {reason} ({known})" for reason in of_launch(launch, texts[place["file"]])]
    return list(dict.fromkeys(found))


def dead_code(report, texts):
    """How many launches are in code that no run reaches."""
    texts = {name: blank(text) for name, text in texts.items()}
    places = [(launch, launch["origin"]["location"]) for launch in report["launches"]]
    return sum(place is not None and place["file"] in texts and is_dead(launch, texts[place["file"]]) for launch, place in places)


if __name__ == "__main__":
    reports = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    sentences = [text for report in reports for text in of(report, host_texts(report))]
    print("\n".join(sentences))
    sys.exit(1 if sentences else 0)
