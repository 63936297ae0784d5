#!/usr/bin/env python3
"""Makes a recorded measurement out of what `smem-validate measure` wrote: small, without addresses and paths of the
machine, in a stable order.

    validate/record.py --root . -o validate/recorded/catalogue/NAME.jsonl --toolkit 13.0 --command '...' MEASURED.jsonl...

Instructions of a launch with one opcode, width and line become one row with summed counters. Launches that repeat an earlier
one in everything are dropped. Lines stay JSON, one a launch, in the form that `smem-validate compare` reads. Hashes of the sources are left out: a comment
of the catalogue may change without a new measurement, and what matters of a source is checked line by line.
"""
import argparse
import json
import os
import sys

COUNTERS = ["executed", "threads", "wavefronts", "wavefronts_ideal", "tags", "sectors", "sectors_ideal"]


def relative(path, root):
    """Sources of the project by their place in it; others (toolkit headers) by their name alone."""
    full = os.path.realpath(path)
    return os.path.relpath(full, root) if full.startswith(root + os.sep) else "/usr/local/cuda/include/" + os.path.basename(path)


def compact_rows(instructions, root):
    rows = {}
    for instruction in instructions:
        key = {k: v for k, v in instruction.items() if k not in COUNTERS and k not in ("pc", "inlined_at")}
        if "file" in key:
            key["file"] = relative(key["file"], root)
        chain = [dict(frame, file=relative(frame["file"], root)) for frame in instruction.get("inlined_at", [])]
        if chain:
            key["inlined_at"] = chain
        text = json.dumps(key, sort_keys=True)
        row = rows.setdefault(text, dict(key, pc=instruction["pc"], **{c: 0 for c in COUNTERS}))
        for counter in COUNTERS:
            row[counter] += instruction.get(counter, 0)
    return list(rows.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured", nargs="+")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--root", default=".", help="where the sources' recorded paths start")
    parser.add_argument("--toolkit", required=True)
    parser.add_argument("--driver", help="its version, if the measurement does not tell")
    parser.add_argument("--keep-scalars", action="store_true", help="keep the values of arguments of four bytes; pointers never")
    parser.add_argument("--command", required=True, help="what was run to measure")
    options = parser.parse_args()
    root = os.path.realpath(options.root)
    lines, seen, session = [], set(), None
    for name in options.measured:
        with open(name, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                if record.get("kind") == "session":
                    session = session or record
                if record.get("kind") != "launch":
                    continue
                kept = {k: v for k, v in record.items() if k not in ("arguments", "instructions", "index")}
                if options.keep_scalars:
                    kept["scalars"] = [int.from_bytes(bytes.fromhex(a["bytes"]), "little") for a in record["arguments"] if a["size"] == 4]
                kept["instructions"] = compact_rows(record["instructions"], root)
                text = json.dumps(kept, sort_keys=True)
                if text in seen:
                    continue
                seen.add(text)
                lines.append(dict(kept, index=len(lines)))
    if session is None or not lines:
        sys.exit("record.py: no launches in " + ", ".join(options.measured))
    session = {k: v for k, v in session.items() if k != "program"}
    session.update(toolkit=options.toolkit, command=options.command)
    session.setdefault("driver_version", options.driver)
    with open(options.output, "w", encoding="utf-8") as out:
        for record in [session] + lines + [{"kind": "end", "launches": len(lines)}]:
            out.write(json.dumps(record, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
