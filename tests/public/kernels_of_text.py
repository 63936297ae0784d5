"""Which kernels a source text has, and which of them a report is silent about."""
import re
import subprocess

COMMENTS = re.compile(r'R"([^()\\\s]{0,16})\(.*?\)\1"|//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.S)
NO_NAME = {"__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__", "__block_size__", "alignas", "decltype", "if", "for", "while", "enable_if", "enable_if_t"}
# After preprocessing macros are written out: `__launch_bounds__(256)` is `__attribute__((launch_bounds(256)))`.
SPECIALISATION = re.compile(r"\s*(?:<[^<>;{}()]*(?:<[^<>;{}()]*>[^<>;{}()]*)*>\s*)?\(")
LINE = re.compile(r'^# (\d+) "([^"]*)"', re.M)


def without_comments(text):
    return COMMENTS.sub(lambda m: '""' if m[0].startswith(('"', 'R"')) else " ", text)


def names_in(text):
    """Names of the __global__ functions that a text without comments defines; one that it only declares is somebody else's."""
    found = []
    for match in re.finditer(r"\b__global__\b|__attribute__\s*\(\(\s*global\s*\)\)", text):
        name = name_after(text, match.end())
        if name and name not in found:
            found.append(name)
    return found


def name_after(text, at):
    """The identifier before the parameter list: the first `name (` that is no attribute."""
    depth_end = min(len(text), at + 2000)
    while at < depth_end:
        match = re.compile(r"([A-Za-z_]\w*)|\(|[;{}#]").search(text, at)
        if not match or match[0] in (";", "{", "}", "#"):
            return None
        if match[0] == "(":
            at = behind_parentheses(text, match.start())
            continue
        at = match.end(1)
        rest = SPECIALISATION.match(text, at)
        if rest and match[1] not in NO_NAME:
            body = re.compile(r"[{;]").search(text, behind_parentheses(text, rest.end() - 1))
            return match[1] if body and body[0] == "{" else None
        if rest:
            at = behind_parentheses(text, rest.end() - 1)
    return None


def behind_parentheses(text, at):
    depth = 0
    for i in range(at, min(len(text), at + 4000)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if not depth:
            return i + 1
    return len(text)


def of_preprocessed(text, path):
    """The part of a preprocessor's output that comes from the file itself."""
    parts, inside, last = [], False, 0
    for match in LINE.finditer(text):
        if inside:
            parts.append(text[last:match.start()])
        inside = match[2] == path
        last = match.end()
    if inside:
        parts.append(text[last:])
    return "".join(parts)


def active_names(preprocess, path, most_seconds=120):
    """Kernels of the file that are left after preprocessing; None where that fails."""
    try:
        done = subprocess.run(preprocess, capture_output=True, text=True, errors="replace", timeout=most_seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    # A header that is not there ends nothing: the rest of the file is printed.
    return names_in(without_comments(of_preprocessed(done.stdout, path))) if done.stdout else None


def unmentioned(names, report):
    """Those that neither a launch nor a diagnostic nor a finding names."""
    said = " ".join([launch["kernel"] + " " + launch["mangled"] for launch in report.get("launches", [])] +
                    [d["message"] for d in report.get("diagnostics", [])] + [f"{f['kernel']} {f['message']}" for f in report.get("findings", [])])
    return [name for name in names if not re.search(rf"(?<![A-Za-z_]){re.escape(name)}(?![A-Za-z_])|\d{re.escape(name)}", said)]
