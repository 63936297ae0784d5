#!/usr/bin/env python3
"""Floors against measured times of all launches that units are recorded of: a log-log plot, and a table, the lowest share first.

    tests/floors/plot.py svg -o docs/images/floors.svg
    tests/floors/plot.py svg --check docs/images/floors.svg      exit code 1 if it is not what is recorded
    tests/floors/plot.py table                                   for documentation

What is recorded is what tests/floors/evidence.py and tests/floors/public.py have: predictions, and times of Nsight Compute.
"""
import argparse
import collections
import html
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import evidence  # noqa: E402
import public  # noqa: E402

Point = collections.namedtuple("Point", "group label floor_ns measured_ns binding highest percent bound")
GROUPS = {"catalogue": "#0072b2", "public programs": "#d55e00"}  # which are told apart whatever colours one sees
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 760, 560, 70, 50, 20, 20


def points():
    found = []
    for unit in evidence.units(evidence.recorded()["predicted"]):
        group, percent = evidence.highest(unit)
        size = " ".join(str(value) for value in unit.defines.values())
        found.append(Point("catalogue", f"{unit.kernel} {size}".strip(), unit.floor_ns, unit.measured["ns"], unit.binding, group, percent, unit.bound))
    for row in public.rows("compiled"):
        group, percent = evidence.highest(row)
        found.append(Point("public programs", f"{row.program}: {row.kernel}", row.floor_ns, row.measured["ns"], row.binding, group, percent, row.bound))
    return [point for point in found if point.floor_ns > 0]


def share(point):
    return point.floor_ns / point.measured_ns


def svg(all_points):
    decades = range(1, 1 + max(8, math.ceil(math.log10(max(p.measured_ns for p in all_points)))))  # of nanoseconds
    low, high = decades[0], decades[-1]

    def x(ns):
        return LEFT + (math.log10(ns) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(ns):
        return HEIGHT - BOTTOM - (math.log10(ns) - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    def name(decade):
        return {1: "10 ns", 2: "100 ns", 3: "1 µs", 4: "10 µs", 5: "100 µs", 6: "1 ms", 7: "10 ms", 8: "100 ms", 9: "1 s"}[decade]

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" role="img">',
           "<title>Floor and measured time of each launch</title>",
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for decade in decades:
        at = 10 ** decade
        out.append(f'<path d="M{x(at):.1f} {y(10 ** low):.1f}V{y(10 ** high):.1f}M{x(10 ** low):.1f} {y(at):.1f}H{x(10 ** high):.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{x(at):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{name(decade)}</text>')
        out.append(f'<text x="{LEFT - 6}" y="{y(at) + 4:.1f}" text-anchor="end">{name(decade)}</text>')
    for factor, dash, what in ((1, "", "floor = time"), (0.8, ' stroke-dasharray="4 3"', "0.8")):
        first = max(10 ** low, 10 ** low / factor)
        out.append(f'<path d="M{x(first):.1f} {y(first * factor):.1f}L{x(10 ** high):.1f} {y(10 ** high * factor):.1f}" stroke="#555555" fill="none"{dash}><title>{what}</title></path>')
    for point in sorted(all_points, key=lambda p: (p.group, p.label, p.measured_ns)):
        if point.floor_ns < 10 ** low:
            continue
        title = html.escape(f"{point.label}: floor {point.floor_ns / 1000:,.2f} µs, measured {point.measured_ns / 1000:,.2f} µs")
        fill = GROUPS[point.group]
        style = f'fill="{fill}" fill-opacity="0.6"' if point.bound else f'fill="none" stroke="{fill}" stroke-opacity="0.6"'
        out.append(f'<circle cx="{x(point.measured_ns):.1f}" cy="{y(point.floor_ns):.1f}" r="3.5" {style}><title>{title}</title></circle>')
    for i, (group, colour) in enumerate(GROUPS.items()):
        out.append(f'<circle cx="{LEFT + 14}" cy="{TOP + 14 + 18 * i}" r="4" fill="{colour}"/><text x="{LEFT + 24}" y="{TOP + 18 + 18 * i}">{group}</text>')
    out.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 10}" text-anchor="middle">measured (not filled: said to wait for something else)</text>')
    out.append(f'<text transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">floor</text>')
    return "\n".join(out) + "\n</svg>\n"


def table(all_points):
    shown = [point for point in all_points if point.bound is not False]
    print(f"Of {len(all_points)} launches {sum(share(p) > 1 for p in all_points)} have a floor above the time; {len(shown)} are not said to wait for something else, and are here, the lowest share first.\n")
    print("| launch | floor, µs | measured, µs | floor / measured | binding unit | highest unit |")
    print("|---|---:|---:|---:|---|---|")
    for p in sorted(shown, key=lambda p: (share(p), p.label)):
        print(f"| `{p.label}` | {p.floor_ns / 1000:,.1f} | {p.measured_ns / 1000:,.1f} | {share(p):.2f} | `{p.binding}` | {p.highest}, {p.percent:.0f}% |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["svg", "table"])
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    args = parser.parse_args()
    if args.command == "table":
        table(points())
        return 0
    text = svg(points())
    if args.check:
        same = args.check.read_text(encoding="utf-8") == text
        if not same:
            print(f"{args.check} is stale: tests/floors/plot.py svg -o {args.check} writes it")
        return 0 if same else 1
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
