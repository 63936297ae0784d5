#!/usr/bin/env python3
"""What smem-lint predicts for the catalogue, as a file in the repository: a change of any figure shows in its diff.

    predictions.py --tool smem-lint --update     writes recorded_predictions.json anew, from smem-lint's own headers
    predictions.py --tool smem-lint              says what differs

Layout: kernel file -> launch -> site -> figures. A site is `line:column space operation width`; sites that share all of it
(inlined in several places) are summed.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import sys

import smem_lint

RECORDED = pathlib.Path(__file__).with_name("recorded_predictions.json")
KERNELS = smem_lint.ROOT / "kernels"
COUNTS = ("requests", "wavefronts", "ideal_wavefronts", "sectors", "ideal_sectors", "tags")


def of(report):
    """The figures of a report in the layout of the file."""
    launches = {}
    for launch in report["launches"]:
        grid, block = ("x".join(map(str, launch[key])) for key in ("grid", "block"))
        name = f"{launch['kernel']} grid={grid} block={block} dynamic={launch['dynamic_shared_bytes']}"
        while name in launches:   # the same shape with other arguments
            name += "'"
        launches[name] = {site: words(rows) for site, rows in sorted(group(launch["sites"]).items())}
    return launches


def group(sites):
    rows = {}
    for site in sites:
        file = pathlib.Path(site["file"]).name if site["file"] else "?"
        place = f"{site['line'] or 0:4}:{site['column'] or 0}"
        if not file.endswith(".cu"):
            place = f"{file}:{place.strip()}"
        rows.setdefault(f"{place} {site['space']} {site['operation']} {site['width_bits']}", []).append(site)
    return rows


def words(rows):
    verdict = max((row["verdict"] for row in rows), key=("exact", "assumed", "unknown").index)
    if verdict == "unknown":
        return verdict
    total = {name: sum(row[name] for row in rows) for name in COUNTS}
    degree = max(row["conflict_degree"] for row in rows)
    return (f"{verdict} requests={total['requests']} wavefronts={total['wavefronts']}/{total['ideal_wavefronts']} degree={degree} "
            f"sectors={total['sectors']}/{total['ideal_sectors']} tags={total['tags']}")


def recorded(name):
    if not RECORDED.exists():
        return None
    with open(RECORDED, encoding="utf-8") as file:
        return json.load(file).get(name)


def differences(expected, got, label):
    """One line for each figure that differs."""
    if expected is None:
        return [f"{label}: nothing is recorded; run {pathlib.Path(__file__).name} --update"]
    found = []
    for launch in sorted(expected.keys() | got.keys()):
        if launch not in got or launch not in expected:
            found.append(f"{label}: launch {launch}: " + ("expected, got none" if launch not in got else "not expected"))
            continue
        for site in sorted(expected[launch].keys() | got[launch].keys()):
            before, now = expected[launch].get(site, "no such site"), got[launch].get(site, "no such site")
            if before != now:
                found.append(f"{label}: {launch}: {site.strip()}: expected {before}, got {now}")
    return found[:40] + ([f"{label}: and {len(found) - 40} more"] if len(found) > 40 else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True, help="smem-lint")
    parser.add_argument("--cuda-path", default="none", help="the toolkit whose headers are used (default: smem-lint's own headers)")
    parser.add_argument("--update", action="store_true", help="write the file")
    options = parser.parse_args()

    files = sorted(KERNELS.glob("*.cu"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = list(pool.map(lambda file: smem_lint.report_of(options.tool, file, f"--cuda-path={options.cuda_path}"), files))
    complaints = [f"{file}: {problem}" for file, (_, problems) in zip(files, reports) for problem in problems]
    figures = {file.name: of(report) for file, (report, _) in zip(files, reports) if report}
    if options.update:
        if len(figures) != len(files):
            return smem_lint.fail(complaints)
        with open(RECORDED, "w", encoding="utf-8") as out:
            json.dump(figures, out, indent=0, ensure_ascii=False)
            out.write("\n")
        print(f"{len(figures)} files, {sum(len(sites) for launches in figures.values() for sites in launches.values())} sites")
        return smem_lint.fail(complaints)
    for name, launches in figures.items():
        complaints += differences(recorded(name), launches, name)
    return smem_lint.fail(complaints)


if __name__ == "__main__":
    sys.exit(main())
