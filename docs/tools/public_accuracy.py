#!/usr/bin/env python3
"""The tables of docs/public-accuracy.md, out of the figures that tests/public/accuracy.py wrote: from source, and as compiled.

    docs/tools/public_accuracy.py summary | repositories | programs | held-out | line
"""
import collections
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "public"
FIGURES, AS_COMPILED = FOLDER / "accuracy.json", FOLDER / "accuracy_as_compiled.json"
LIBRARIES = FOLDER / "libraries.json"  # verdicts of files that hold no program, without a recording
FIELDS = ("rows", "exact", "unknown", "mismatch", "false_claims", "unstable")
SHARES = FIELDS[1:-1]  # of the rows, which what is unstable is not among
HEADINGS = ("rows", "match", "unknown", "mismatch", "false claims", "unstable")


def percent(part, whole):
    return f"{100 * part / whole:.1f}%" if whole else "-"


def total(rows):
    rows = list(rows)
    return {field: sum(row[field] for row in rows) for field in FIELDS}


def compared(figures, held_out):
    return {key: row for key, row in figures["programs"].items() if row["held_out"] == held_out and row["rows"]}


def repository(key):
    return "/".join(key.split("/")[:2])


def table(heading, rows, groups=False):
    print(f"| {heading} | {'programs | ' if groups else ''}{' | '.join(HEADINGS)} |")
    print("|---|" + "---:|" * (len(FIELDS) + groups))
    for name, count, row in rows:
        print(f"| {name} | {f'{count:,} | ' if groups else ''}" + " | ".join(f"{row[field]:,}" for field in FIELDS) + " |")


def grouped(programs):
    groups = collections.defaultdict(list)
    for key, row in programs.items():
        groups[repository(key)].append(row)
    return groups


def summary(figures):
    machine = figures["machine"]
    print(f"| | programs | authors | {' | '.join(HEADINGS)} |\n|---|---:|---:|" + "---:|" * len(HEADINGS))
    compiled = json.loads(AS_COMPILED.read_text(encoding="utf-8"))
    every = []
    views = (("public set", figures, False), ("... `--as-compiled`", compiled, False), ("held out", figures, True), ("... `--as-compiled`", compiled, True))
    for name, source, held_out in views:
        programs = compared(source, held_out)
        sums = total(programs.values())
        print(f"| {name} | {len(programs)} | {len({key.split('/')[0] for key in programs})} | {sums['rows']:,} | " +
              " | ".join(f"{sums[f]:,}: {percent(sums[f], sums['rows'])}" for f in SHARES) + f" | {sums['unstable']:,} |")
        all_rows = sums["rows"] + sums["unstable"]
        every.append(f"{percent(sums['exact'], all_rows)} and {percent(sums['unknown'] + sums['unstable'], all_rows)}")
    print("| goal for the public set | 40 | 6 | | 95% | 5% | | 0 | |")
    print(f"\nWith the unstable ones counted as unknown rows, matching and unknown are, line by line: {'; '.join(every)}.")
    print(f"\n{machine['gpu']}, driver {machine['driver_version']}, CUDA 13.0, `nvcc {' '.join(figures['flags'])}`; measured {machine['date'][:10]}, "
          f"compared {figures['compared']}.")


def repositories(figures):
    groups = grouped(compared(figures, False))
    table("repository", [(name, len(rows), total(rows)) for name, rows in groups.items()], groups=True)


def programs(figures, held_out=False):
    found = compared(figures, held_out)
    table("program", [(key, 1, row) for key, row in found.items()] + [("**all**", len(found), total(found.values()))])
    without = {key: row for key, row in figures["programs"].items() if row["held_out"] == held_out and not row["rows"]}
    if without:
        print("\nWithout a row:\n")
        for key, row in without.items():
            print(f"- {key}: {'; '.join(row.get('problems', ['no kernel with line information was launched']))}")


def differing(sums):
    """Rows that differ from the counters, and how many of them were claimed to be exact."""
    if not sums["mismatch"]:
        return "none differs"
    falsely = f"{sums['false_claims']} of these rows were" if sums["false_claims"] else "none of these was"
    return f"{percent(sums['mismatch'], sums['rows'])} differ ({falsely} claimed to be exact)"


def share_of(programs):
    sums = total(programs.values())
    return (f"{percent(sums['exact'], sums['rows'])} of {sums['rows']:,} rows match the counters, {percent(sums['unknown'], sums['rows'])} are unknown, "
            f"{differing(sums)}")


def authors(programs):
    return len({key.split("/")[0] for key in programs})


def line(figures):
    """The figures of the README, each with its conditions."""
    found, held_out = compared(figures, False), compared(figures, True)
    compiled = json.loads(AS_COMPILED.read_text(encoding="utf-8"))
    libraries = json.loads(LIBRARIES.read_text(encoding="utf-8"))
    print(f"- **Given the grid, block, dynamic shared memory and arguments that were recorded when it ran**: of {len(found)} programs by {authors(found)} other "
          f"authors {share_of(found)}. These programs were looked at to find rules of the compiler.")
    print(f"- **The same for programs that had not been looked at** (held out): of {len(held_out)} programs by {authors(held_out)} authors {share_of(held_out)}.")
    print(f"- **With the machine code as well** (`--as-compiled`): of the first {share_of(compared(compiled, False))}; of those held out "
          f"{share_of(compared(compiled, True))}.")
    rows = libraries["rows"]
    print(f"- **Without a recording** a library says little about its launches: {libraries['files']} library files gave {rows['exact']:,} exact, "
          f"{rows['assumed']:,} assumed and {rows['unknown']:,} unknown rows.")
    print("\nA row that matches was claimed to be exact or was assumed; the records of other people's programs do not keep these two apart. "
          "[Program by program](docs/public-accuracy.md), [without recordings](docs/public-set.md).")


VIEWS = {"summary": summary, "repositories": repositories, "programs": programs, "held-out": lambda figures: programs(figures, True), "line": line}
if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in VIEWS:
        sys.exit(__doc__)
    VIEWS[sys.argv[1]](json.loads(FIGURES.read_text(encoding="utf-8")))
