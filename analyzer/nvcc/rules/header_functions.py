#!/usr/bin/env python3
"""Writes header_functions.def: on which lines of the toolkit's and the host's headers bodies of functions have code.

  echo '#include <cmath>' > empty.cu; nvcc -E -arch=sm_90 -D__CUDA_ARCH__=900 empty.cu > gcc12.ii      # with each host compiler
  analyzer/nvcc/rules/header_functions.py gcc12.ii gcc13.ii > analyzer/nvcc/rules/header_functions.def

Names and numbers alone are kept, and of headers whose functions Clang has from elsewhere.
"""
import collections
import re
import sys

HEADERS = re.compile(r"/(crt/(math_functions|device_functions|device_double_functions|sm_\d+_rt)\.hpp|(device|sm_\d+)_(atomic_functions|intrinsics)\.hpp|cmath|bits/(std_abs|stl_algobase)\.h)$")
MARKER = re.compile(r'# (\d+) "([^"]*)"')
FUNCTION = re.compile(r"\b([A-Za-z_]\w*)\s*\(([^(){};]*(?:\([^()]*\)[^(){};]*)*)\)\s*(?:const|noexcept)?\s*\{")
ARITHMETIC = {"unsigned", "signed", "int", "long", "short", "char", "float", "double", "bool"}
NO_FUNCTIONS = {"if", "for", "while", "switch", "asm", "__asm__", "volatile", "__attribute__", "__visibility__"}


def headers_of(text):
    """Each header's text as the preprocessor leaves it, every line where it stands."""
    headers, lines = collections.defaultdict(dict), None
    for line in text.split("\n"):
        if marker := MARKER.match(line):
            number, lines = int(marker[1]), headers[marker[2]] if HEADERS.search(marker[2]) else None
        elif lines is not None:
            lines[number] = lines.get(number, "") + line
            number += 1
    return {name: "\n".join(lines.get(i, "") for i in range(1, max(lines, default=0) + 1)) for name, lines in headers.items()}


def type_of(parameters):
    """Of the first parameter, or of what it points to, as Clang prints it; empty: any."""
    words = re.findall(r"\w+", parameters.split(",")[0])
    words = [word for word in words if word not in ("const", "volatile", "__restrict__")]
    if words and words[-1] not in ARITHMETIC:
        words.pop()
    if not words or words[-1].startswith("_"):
        return ""
    if set(words) - ARITHMETIC:
        return words[-1]
    if "short" in words or "char" in words or "float" in words or "double" in words or "bool" in words:
        return " ".join(words)
    kind = "long " * words.count("long") or "int"
    return ("unsigned " if "unsigned" in words else "") + kind.strip()


def bodies(text):
    """Each function's name and first parameter with the first and the last line of what stands in its braces."""
    for function in FUNCTION.finditer(text):
        if function[1] in NO_FUNCTIONS:
            continue
        begin, depth = function.end(), 1
        for end in range(begin, len(text)):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if depth == 0:
                break
        first = text.count("\n", 0, begin) + 1
        lines = [first + i for i, line in enumerate(text[begin:end].split("\n")) if line.strip()]
        if lines:
            yield (function[1], type_of(function[2])), lines[0], lines[-1]


def main():
    ranges = collections.defaultdict(set)
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as file:
            for text in headers_of(file.read()).values():
                for function, first, last in bodies(text):
                    ranges[function].update(range(first, last + 1))
    print("// Written by header_functions.py: functions, their first parameters' types, and lines that their bodies have code on, in CUDA 13.0 and in libstdc++ of GCC 12 and 13.")
    for (name, type_name), lines in sorted(ranges.items()):
        first = last = None
        for line in [*sorted(lines), None]:
            if last is not None and line != last + 1:
                print(f'HEADER_FUNCTION({name}, "{type_name}", {first}, {last})')
                first = None
            first, last = first if first is not None else line, line


if __name__ == "__main__":
    main()
