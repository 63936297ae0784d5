#!/usr/bin/env python3
"""smem-lint's own reading of machine code against nvdisasm's. Needs nvdisasm; no part of the test suite, which has what is recorded here.

  tests/compiled/check_disassembler.py cubins FILE.cubin...        listings, as smem-lint reads them: the same, refused, or wrong
  tests/compiled/check_disassembler.py bits FILE.cubin... [--seed N] [--samples N]
                                                                   instructions of these with one bit or more changed: what both read must be the same text
  tests/compiled/check_disassembler.py record FILE.cubin... -o tests/compiled/data/encodings.sm_90.txt
                                                                   a few instructions of each opcode and shape with nvdisasm's text, for the test suite
"""
import argparse
import collections
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINE = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*/\* 0x([0-9a-f]{16}) \*/")
SECOND = re.compile(r"^\s+/\* 0x([0-9a-f]{16}) \*/")
RAW = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;")
REFUSED = re.compile(r"at address 0x([0-9a-f]+)")
SCHEDULING = 105  # bits from here on say when an instruction is issued
BRANCHES = ("BRA", "BSSY", "CALL.REL", "RET.REL", "LEPC", "WARPSYNC.COLLECTIVE")


def plain(text):
    """Without what schedules and without names and numbers of targets, which a listing has and a raw file has not."""
    text = re.sub(r"\s+", " ", text.replace(".reuse", "").rstrip(" ;").lstrip("{ ")).strip()
    text = re.sub(r"\(\*.*?\*\)", "", text).strip()
    text = re.sub(r"`\([^)]*\)", "L", text)
    opcode = re.sub(r"^@\S+ ", "", text).split(" ")[0]
    if opcode.startswith(BRANCHES):
        text = re.sub(r"-?0x[0-9a-f]+$", "L", text)
    return text.replace(" ,", ",").replace("] [", "][")  # of some opcodes nvdisasm prints c[0x0] [0x168]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def instructions(options, files):
    """(low, high) without scheduling -> nvdisasm's text, of all files."""
    found = {}
    for file in files:
        low = None
        for line in run(options.nvdisasm, "-c", "-hex", file).stdout.splitlines():
            if match := LINE.match(line):
                low, text = int(match[3], 16), plain(match[2])
            elif (match := SECOND.match(line)) and low is not None:
                found.setdefault((low, int(match[1], 16) & ((1 << (SCHEDULING - 64)) - 1)), text)
                low = None
    return found


def read_raw(options, words):
    """What nvdisasm and smem-lint print of each word; None where nvdisasm refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "raw")

        def write(which):
            with open(path, "wb") as out:
                out.write(b"".join(struct.pack("<QQ", *words[i]) for i in which))

        write(range(len(words)))
        ours = run(options.tool, "--raw", options.architecture, path).stdout.splitlines()
        theirs, kept = [None] * len(words), list(range(len(words)))
        while kept:
            write(kept)
            done = run(options.nvdisasm, "-b", options.architecture.upper().replace("_", ""), "-ndf", path)
            if done.returncode == 0:
                for line in done.stdout.splitlines():
                    if match := RAW.match(line):
                        theirs[kept[int(match[1], 16) // 16]] = plain(match[2])
                break
            refused = {int(address, 16) // 16 for address in REFUSED.findall(done.stderr)}
            if not refused:
                sys.exit(done.stderr)
            kept = [word for i, word in enumerate(kept) if i not in refused]
        return theirs, [text if text.startswith("?") else plain(text) for text in ours]


def cubins(options):
    count, why = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        listing = os.path.join(folder, "listing")
        for file in options.files:
            with open(listing, "w") as out:
                if subprocess.run([options.nvdisasm, "-gi", file], stdout=out, stderr=subprocess.DEVNULL).returncode:
                    count["not read by nvdisasm"] += 1
                    continue
            done = run(options.tool, "--check", file, listing)
            if done.stderr.count("the listing has no functions") == 2:
                count["without code"] += 1
                continue
            # 2 is said of what cannot be read, too, which is no refusal.
            refused = done.returncode == 2 and "listing" not in done.stderr.rsplit(": ", 1)[-1]
            count["same" if done.returncode == 0 else "refused" if refused else "wrong"] += 1
            if done.returncode != 0 and not refused:
                print((done.stdout + done.stderr)[:2000], end="")
            elif refused:
                why[done.stderr.strip().rsplit(": ", 1)[-1]] += 1
    for reason, times in why.most_common():
        print(f"refused {times} times: {reason}")
    print(dict(count))
    return count["wrong"] != 0


def changed(word, generator):
    """The word with one bit, several bits, or a whole field of up to 8 bits changed; opcode and scheduling stay."""
    value = word[0] | word[1] << 64
    for _ in range(generator.choice((1, 1, 1, 2, 3, 6))):
        if generator.random() < 0.5:
            value ^= 1 << generator.randrange(12, SCHEDULING)
        else:
            first = generator.randrange(12, SCHEDULING - 8)
            value &= ~(0xFF << first)
            value |= generator.randrange(256) << first
    return value & (1 << 64) - 1, value >> 64


def bits(options):
    generator = random.Random(options.seed)
    by_opcode = collections.defaultdict(list)
    for word in instructions(options, options.files):
        by_opcode[word[0] & 0xFFF].append(word)
    words = []
    for opcode in sorted(by_opcode):
        words += [changed(generator.choice(by_opcode[opcode]), generator) for _ in range(options.samples)]
    scheduled = [(low, high | 0x000FE20000000000) for low, high in words]
    count, shown = collections.Counter(), collections.Counter()
    for start in range(0, len(scheduled), 20000):
        part = scheduled[start:start + 20000]
        for word, theirs, ours in zip(part, *read_raw(options, part)):
            odd = theirs is None or "INVALID" in theirs or "???" in theirs or "?PM" in theirs
            if ours.startswith("?"):
                outcome = "both refuse" if odd else "smem-lint refuses"
            else:
                outcome = "nvdisasm refuses" if odd else "same" if ours == theirs else "wrong"
            count[outcome] += 1
            shown[outcome, word[0] & 0xFFF] += 1
            if outcome == "wrong" and shown[outcome, word[0] & 0xFFF] <= 3 or outcome == "nvdisasm refuses" and options.verbose and shown[outcome, word[0] & 0xFFF] <= 2:
                print(f"{outcome}: {word[1]:016x} {word[0]:016x}\n  nvdisasm:  {theirs}\n  smem-lint: {ours}")
    print(dict(count))
    return count["wrong"] != 0


def record(options):
    """For each opcode and mnemonic, the instructions whose operands have different shapes."""
    kept = {}
    for word, text in sorted(instructions(options, options.files).items(), key=lambda item: (item[0][0] & 0xFFF, item[0])):
        shape = re.sub(r"-?0x[0-9a-f]+|\d+\.?\d*(e[-+]\d+)?", "0", re.sub(r"^@\S+ ", "", text).split(" ", 1)[-1])
        kept.setdefault((word[0] & 0xFFF, re.sub(r"^@\S+ ", "", text).split(" ")[0], shape), (word, text))
    lines = [f"{high:016x} {low:016x} {text}" for (low, high), text in kept.values()]
    tool = re.search(r"V([\d.]+)", run(options.nvdisasm, "--version").stdout)
    head = f"# Instructions of {options.architecture} without the bits that schedule, and what nvdisasm {tool[1] if tool else ''} prints. L: the target of a branch.\n"
    pathlib.Path(options.output).write_text(head + "\n".join(lines) + "\n")
    print(len(lines), "instructions")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("cubins", "bits", "record"))
    parser.add_argument("files", nargs="+")
    parser.add_argument("--tool", default=str(ROOT / "build/bin/smem-disassemble"))
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=100, help="for each opcode")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("-o", dest="output")
    options = parser.parse_args()
    return {"cubins": cubins, "bits": bits, "record": record}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
