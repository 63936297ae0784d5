"""The expectations that the kernels of the catalogue state in their comments.

At the source line:     // expect: shared load 32-way; global load 4 sectors/request
For one instantiation:  // expect strided_load<float, 32>: shared load 32-way

`n-way` is the highest conflict degree among the requests of that space and operation; `sectors/request` the quotient of
their sums over the launch; `unknown` says that the figure depends on data, `assumed` that the compiler leaves it open. The first form holds for that line in every
launch that executes it, the second for the whole kernel.
"""
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

OPERATIONS = ("load", "store", "atomic", "async_copy", "matrix_load", "matrix_store", "matrix_multiply", "bulk_copy")

_EXPECT = re.compile(r"//\s*expect(?P<kernel>\s+[A-Za-z_][^;]*?)?:\s+(?P<claims>.*?)\s*$")
_CLAIM = re.compile(r"(?P<space>shared|global) (?P<operation>\w+) (?:(?P<way>\d+)-way|(?P<sectors>\d+(?:\.\d+|/\d+)?) sectors/request|(?P<unknown>unknown)|(?P<assumed>assumed))$")


@dataclass(frozen=True)
class Expectation:
    line: int               # where it stands
    kernel: Optional[str]   # None: it is about its own line
    space: str
    operation: str
    degree: Optional[int] = None
    sectors: Optional[Fraction] = None   # a request
    assumed: bool = False

    @property
    def unknown(self):
        return self.degree is None and self.sectors is None and not self.assumed

    def __str__(self):
        figure = "unknown" if self.unknown else "assumed" if self.assumed else f"{self.degree}-way" if self.degree else f"{decimal(self.sectors)} sectors/request"
        return f"{self.space} {self.operation} {figure}"


class Malformed(ValueError):
    pass


def decimal(value):
    """4, 3.90625; a quotient that no short decimal has is written as one."""
    if value.denominator == 1:
        return str(value.numerator)
    short = f"{float(value):.6f}".rstrip("0")
    return short if Fraction(short) == value else f"{value.numerator}/{value.denominator}"


def read(lines):
    """Every expectation in the lines of a source file. What begins like one and cannot be read is an error."""
    found = []
    for number, line in enumerate(lines, 1):
        match = _EXPECT.search(line)
        if not match:
            continue
        for claim in match["claims"].split(";"):
            words = _CLAIM.match(claim.strip())
            if not words or words["operation"] not in OPERATIONS:
                raise Malformed(f"line {number}: cannot read the expectation '{claim.strip()}'")
            if (words["way"] and words["space"] != "shared") or (words["sectors"] and words["space"] != "global"):
                raise Malformed(f"line {number}: '{claim.strip()}': n-way is a figure of shared memory, sectors one of global memory")
            found.append(Expectation(number, match["kernel"].strip() if match["kernel"] else None, words["space"], words["operation"],
                                     int(words["way"]) if words["way"] else None,
                                     Fraction(words["sectors"]) if words["sectors"] else None, bool(words["assumed"])))
    return found
