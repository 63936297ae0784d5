#!/usr/bin/env python3
"""Compares what smem-lint says about a kernel of the catalogue with what the kernel's own comments expect.

    check_expectations.py --tool smem-lint kernels/transpose_tiled.cu

Checked are: every expectation (see expectations.py); that every site is `exact` unless an expectation says `unknown`; that
no line with an expectation lacks its site; the exit code; the JSON against its schema; that findings stand where a conflict
is expected and nowhere else; the figures of every site against recorded_predictions.json, which holds for smem-lint's own
headers and, with --cuda-path, for those of a toolkit.
"""
import argparse
import pathlib
import sys
from fractions import Fraction

import expectations
import predictions
import smem_lint


def moves(site, space):
    """An async copy is listed once and moves data in both spaces."""
    return site["space"] == space or site["operation"] == "async_copy"


def covers(expectation, launch, site):
    if not (moves(site, expectation.space) and site["operation"] == expectation.operation):
        return False
    return launch["kernel"] == expectation.kernel if expectation.kernel else site["line"] == expectation.line


def own_sites(report, file):
    """(launch, site) of every site in the file itself; a header has no expectations."""
    for launch in report["launches"]:
        for site in launch["sites"]:
            if site["file"] and pathlib.Path(site["file"]).name == pathlib.Path(file).name:
                yield launch, site


def figure(expectation, sites):
    """What the sites of one launch show of the expected kind, in words to print and as a value to compare."""
    if any(site["verdict"] == "unknown" for site in sites):
        return "unknown", None
    if expectation.space == "shared":
        degree = max(site["conflict_degree"] for site in sites)
        return f"{degree}-way", degree
    requests = sum(site["requests"] for site in sites)
    ratio = Fraction(sum(site["sectors"] for site in sites), requests)
    return f"{expectations.decimal(ratio)} sectors/request", ratio


def shape(launch):
    return f"{launch['kernel']} grid={tuple(launch['grid'])} block={tuple(launch['block'])}"


def check_expectation(expectation, report, file):
    by_launch = {}
    for launch, site in own_sites(report, file):
        if covers(expectation, launch, site):
            by_launch.setdefault(id(launch), (launch, []))[1].append(site)
    reached = [(launch, [site for site in sites if site["requests"] != 0]) for launch, sites in by_launch.values()]
    reached = [(launch, sites) for launch, sites in reached if sites]
    if not reached:
        reason = "no such site" if not by_launch else "no launch reaches it"
        if expectation.kernel and not any(launch["kernel"] == expectation.kernel for launch in report["launches"]):
            known = ", ".join(sorted({launch["kernel"] for launch in report["launches"]})[:8]) or "none"
            reason = f"no launch of {expectation.kernel}; launches are of: {known}"
        yield f"{file}:{expectation.line}: expected {expectation}, got: {reason}"
    if expectation.assumed:
        for launch, sites in reached:
            for site in sites:
                if site["verdict"] != "assumed":
                    yield f"{file}:{expectation.line}: expected {expectation}, got {site['verdict']} in {shape(launch)}"
        return
    expected = None if expectation.unknown else expectation.degree if expectation.degree else expectation.sectors
    for launch, sites in reached:
        words, value = figure(expectation, sites)
        if value != expected:
            reasons = sorted({f" ({site['reason']})" for site in sites if site["verdict"] == "unknown"})
            yield f"{file}:{expectation.line}: expected {expectation}, got {words}{''.join(reasons)} in {shape(launch)}"


def check_verdicts(claims, report, file):
    """Nothing but what an expectation calls unknown or assumed is anything but exact."""
    for launch, site in own_sites(report, file):
        if site["verdict"] == "exact" or any((claim.unknown or (claim.assumed and site["verdict"] == "assumed")) and covers(claim, launch, site) for claim in claims):
            continue
        yield (f"{file}:{site['line']}:{site['column']}: {site['space']} {site['operation']} expected exact, got {site['verdict']} "
               f"({site['reason']}) in {shape(launch)}")


def check_findings(claims, report, file):
    """A conflict that is expected is reported at its line; a line that expects none has no finding."""
    found = {finding["line"] for finding in report["findings"] if finding["rule"] == "smem-bank-conflict"}
    by_line = {}
    for claim in claims:
        if claim.degree and not claim.kernel:
            by_line.setdefault(claim.line, []).append(claim)
    for line, own in by_line.items():
        if any(claim.degree > 1 for claim in own) and line not in found:
            yield f"{file}:{line}: expected a smem-bank-conflict finding ({own[0]}), got none"
        sites = [site for _, site in own_sites(report, file) if site["line"] == line and moves(site, "shared")]
        covered = all(any(claim.operation == site["operation"] for claim in own) for site in sites)
        if line in found and covered and all(claim.degree == 1 for claim in own):
            yield f"{file}:{line}: expected no smem-bank-conflict finding, got one"


def check(tool, file, cuda_path):
    complaints = []
    try:
        claims = expectations.read(file.read_text(encoding="utf-8").splitlines())
    except expectations.Malformed as error:
        return [f"{file}: {error}"]
    report, problems = smem_lint.report_of(tool, file, f"--cuda-path={cuda_path}")
    complaints += [f"{file}: {problem}" for problem in problems]
    if report is None:
        return complaints
    if not report["launches"]:
        complaints.append(f"{file}: expected at least one launch, got none")
    headers = report["files"][0]["headers"]["source"] if report["files"] else None
    if headers != ("shipped" if cuda_path == "none" else "toolkit"):
        complaints.append(f"{file}: --cuda-path={cuda_path}, but the headers used are {headers}")
    for claim in claims:
        complaints += check_expectation(claim, report, file)
    complaints += check_verdicts(claims, report, file)
    complaints += check_findings(claims, report, file)
    complaints += predictions.differences(predictions.recorded(file.name), predictions.of(report), f"{file}: recorded")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tool", required=True, help="smem-lint")
    parser.add_argument("--cuda-path", default="none", help="the toolkit whose headers are used (default: smem-lint's own headers)")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    return smem_lint.fail([line for file in options.files for line in check(options.tool, file, options.cuda_path)])


if __name__ == "__main__":
    sys.exit(main())
