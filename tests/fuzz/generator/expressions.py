"""Integer expressions of a kernel, with an upper bound and the parentheses that C needs."""
from dataclasses import dataclass

# C precedence, as far as parentheses matter to a reader.
COND, BITS, ADD, MUL, ATOM = range(5)


@dataclass(frozen=True)
class Expr:
    """An integer expression of the kernel: never negative, at most `hi`."""
    text: str
    hi: int
    level: int = ATOM

    def at(self, level):
        return self.text if self.level >= level else f"({self.text})"


def const(value):
    return Expr(str(value), value)


def add(a, b):
    return Expr(f"{a.at(ADD)} + {b.at(ADD)}", a.hi + b.hi, ADD)


def mul(a, b):
    if b.text == "1":
        return a
    return Expr(f"{a.at(MUL)} * {b.at(ATOM)}", a.hi * b.hi, MUL)


def div(a, d):
    return Expr(f"{a.at(MUL)} / {d}", a.hi // d, MUL)


def mod(a, m):
    return Expr(f"{a.at(MUL)} % {m}", min(a.hi, m - 1), MUL)


def shr(a, n):
    return Expr(f"{a.at(ATOM)} >> {n}", a.hi >> n, BITS)


def shl(a, n):
    return Expr(f"{a.at(ATOM)} << {n}", a.hi << n, BITS)


def mask(a, m):
    return Expr(f"{a.at(ATOM)} & {m}", min(a.hi, m), BITS)


def xor(a, b):
    return Expr(f"{a.at(ATOM)} ^ {b.at(ATOM)}", (1 << max(a.hi, b.hi).bit_length()) - 1, BITS)


def minus_from(c, a):
    """c - a, for c >= a.hi."""
    return Expr(f"{c} - {a.at(MUL)}", c, ADD)


def select(cond, a, b):
    return Expr(f"{cond} ? {a.at(BITS)} : {b.at(BITS)}", max(a.hi, b.hi), COND)


def smaller(a, limit):
    return Expr(f"min({a.text}, {limit})", min(a.hi, limit))
