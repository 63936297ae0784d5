#!/usr/bin/env python3
"""Makes a small listing of a kernel's machine code for the tests: `nvdisasm -gi` without what is no code.

    tests/compiled/record_listing.py LISTING... -o tests/compiled/data

LISTING is what `nvcc -O3 -std=c++17 -lineinfo -arch=sm_90 -cubin -o k.cubin k.cu && nvdisasm -gi k.cubin` printed. Sections of code, of
kernels' parameters, of tables and of addresses of variables stay; paths begin with /build, whatever the repository was called.
"""
import argparse
import pathlib
import re

SECTION = re.compile(r"\s*\.section\s+([^,\s]+)")
KEPT = (".text.", ".nv.info", ".nv.shared.", ".nv.constant2.", ".nv.constant4")


def sections(lines):
    """(name of the section, its lines); what precedes the first one has no name. A title line belongs to what follows."""
    name, held, part = "", [], []
    for line in lines:
        if line.startswith("//-----------"):
            yield name, part
            name, part, held = None, [], [line]
            continue
        match = SECTION.match(line)
        if match and name is None:
            name, part, held = match[1], held, []
        (part if name is not None else held).append(line)
    yield name, part


def small(text):
    kept = [line for name, part in sections(text.splitlines()) if name == "" or (name or "").startswith(KEPT) for line in part]
    text = "\n".join(kept) + "\n"
    text = re.sub(r'"/[^"]*/(kernels/[^"/]+)"', r'"/build/\1"', text)
    text = re.sub(r"(\n\s*/\*[0-9a-f]{4,}\*/\s+NOP ?;){2,}", r"\1", text)  # padding
    return re.sub(r"\n{3,}", "\n\n", text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("listings", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", dest="folder", required=True, type=pathlib.Path)
    options = parser.parse_args()
    for listing in options.listings:
        target = options.folder / listing.name
        target.write_text(small(listing.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
