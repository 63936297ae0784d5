#!/usr/bin/env python3
"""Generates random CUDA programs for differential fuzzing: predicted counters against those of the hardware.

    generate_kernels.py --seed 1 --files 40 --kernels 25 --out DIR
    generate_kernels.py --seed 1 --file 3 --kernel 7          # one kernel again, on standard output

Each program defines its kernels and a main that launches each of them once, with literal sizes and arguments. A kernel
depends only on (seed, file, kernel), so that one which disagrees can be generated again alone.

What holds for every kernel:
  - every access is in bounds (indices carry an upper bound; arrays are sized from it, or the index is wrapped);
  - what is loaded ends up in global memory, and a shared array that is read is also written before, so that no access is
    dead or undefined; a barrier lies between writing and reading;
  - a source line has at most one access for each space and operation, so that counters can be attributed to it;
  - no address and no branch depends on the values in global memory, except in kernels made for that (--data-dependent).
"""
import argparse
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

# C precedence, as far as parentheses matter to a reader.
COND, BITS, ADD, MUL, ATOM = range(5)
MAX_INDEX = 1 << 18
SHARED_BYTES = 44 * 1024

SIZES = {"char": 1, "unsigned char": 1, "short": 2, "int": 4, "float": 4, "double": 8, "float2": 8, "float4": 16, "int4": 16}
SCALARS = ["char", "unsigned char", "short", "int", "float", "double"]
VECTORS = ["float2", "float4", "int4"]

BLOCKS_1D = [(n, 1, 1) for n in (32, 64, 128, 256, 256, 512, 16, 17, 33, 48, 80, 96, 100, 160, 192, 250, 1)]
BLOCKS_2D = [(x, y, 1) for x, y in ((32, 8), (16, 16), (8, 8), (32, 32), (8, 32), (4, 16), (33, 3), (24, 5), (64, 4), (1, 64),
                                    (16, 4), (16, 5), (32, 1), (12, 12), (20, 10), (2, 32), (31, 4), (128, 2))]
BLOCKS_3D = [(8, 8, 4), (4, 4, 4), (16, 2, 3), (8, 4, 2), (2, 16, 5), (5, 5, 5), (32, 2, 2), (1, 8, 16), (4, 8, 3), (3, 7, 4)]
STRIDES = [1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12, 15, 16, 16, 17, 20, 24, 31, 32, 32, 33, 34, 40, 48, 64, 65, 96, 128]


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


class Array:
    """A one- or two-dimensional array in shared memory, or a buffer in global memory that grows to what is asked of it."""

    def __init__(self, name, element, dims=None, dynamic=False):
        self.name, self.element, self.dims, self.dynamic = name, element, dims, dynamic
        self.needed = 1

    @property
    def bytes(self):
        count = self.dims[0] * (self.dims[1] if len(self.dims) > 1 else 1)
        return count * SIZES[self.element]


class Kernel:
    def __init__(self, seed, file, index, data_dependent):
        self.rng = random.Random(f"{seed}/{file}/{index}")
        self.name = f"kernel_{index}"
        self.data_dependent = self.rng.random() < data_dependent
        self.lines, self.depth = [], 1
        self.params, self.arrays, self.buffers = [], [], {}
        self.loops, self.limits, self.serial = [], {}, 0
        self.templated = None
        shapes = self.rng.choices([BLOCKS_1D, BLOCKS_2D, BLOCKS_3D], [5, 5, 2])[0]
        self.block = self.rng.choice(shapes)
        self.grid = self.rng.choice([(self.rng.randint(1, 24), 1, 1), (self.rng.randint(1, 6), self.rng.randint(1, 5), 1),
                                     (self.rng.randint(1, 3), self.rng.randint(1, 3), self.rng.randint(1, 3)), (1, 1, 1)])
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.blocks = self.grid[0] * self.grid[1] * self.grid[2]
        self.declare_names()
        self.generate()

    # --- names that every kernel may use ----------------------------------------------------------------------------------
    def declare_names(self):
        bx, by, bz = self.block
        linear = "threadIdx.x"
        if by > 1 or bz > 1:
            linear = "threadIdx.y * blockDim.x + threadIdx.x"
        if bz > 1:
            linear = "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x"
        gx, gy, gz = self.grid
        linear_block = "blockIdx.x" if gy == gz == 1 else "blockIdx.y * gridDim.x + blockIdx.x"
        if gz > 1:
            linear_block = "(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x"
        size = "blockDim.x" + (" * blockDim.y" if by > 1 or bz > 1 else "") + (" * blockDim.z" if bz > 1 else "")
        self.definitions = {
            "tx": ("threadIdx.x", bx - 1), "ty": ("threadIdx.y", by - 1), "tz": ("threadIdx.z", bz - 1),
            "bx": ("blockIdx.x", gx - 1), "by": ("blockIdx.y", gy - 1), "bz": ("blockIdx.z", gz - 1),
            "tid": (linear, self.threads - 1), "bid": (linear_block, self.blocks - 1),
            "lane": (self.rng.choice(["tid & 31", "tid % 32"]), min(31, self.threads - 1)),
            "warp": (self.rng.choice(["tid >> 5", "tid / 32"]), (self.threads - 1) // 32),
            "gid": (f"bid * ({size}) + tid" if " " in size else f"bid * {size} + tid", self.threads * self.blocks - 1),
            "row": ("blockIdx.y * blockDim.y + threadIdx.y", gy * by - 1),
            "col": ("blockIdx.x * blockDim.x + threadIdx.x", gx * bx - 1),
        }

    def name_of(self, key):
        hi = min(self.definitions[key][1], self.limits.get(key, MAX_INDEX))
        # A built-in is at times written out where it is used.
        spelled = {"tx": "threadIdx.x", "ty": "threadIdx.y", "bx": "blockIdx.x"}.get(key)
        if spelled and self.inline_builtins:
            return Expr(f"(int){spelled}", hi)
        return Expr(key, hi)

    def thread_leaf(self):
        keys, weights = ["tid", "lane"], [4, 2]
        for key, n, weight in (("tx", self.block[0], 5), ("ty", self.block[1], 4), ("tz", self.block[2], 2), ("warp", self.threads // 32, 2)):
            if n > 1:
                keys.append(key)
                weights.append(weight)
        return self.name_of(self.rng.choices(keys, weights)[0])

    def block_leaf(self):
        keys = [k for k, n in zip(("bx", "by", "bz"), self.grid) if n > 1] + ["bid"]
        return self.name_of(self.rng.choice(keys))

    def global_leaf(self):
        keys = ["gid"] * 4 + (["row", "col"] if self.block[1] > 1 and self.block[2] == 1 else [])
        return self.name_of(self.rng.choice(keys))

    def parameter(self, role, value):
        """A scalar argument; the same role and value share one."""
        for name, kind, known in self.params:
            if (kind, known) == (role, value):
                return Expr(name, value)
        name = role if all(known != role for known, _, _ in self.params) else f"{role}{len(self.params)}"
        self.params.append((name, role, value))
        return Expr(name, value)

    def number(self, value, role, chance=0.25):
        return self.parameter(role, value) if self.rng.random() < chance else const(value)

    # --- index expressions ------------------------------------------------------------------------------------------------
    def affine(self, leaf):
        """leaf, scaled and shifted."""
        r = self.rng
        expr = leaf
        stride = r.choice(STRIDES)
        if stride > 1:
            expr = mul(expr, self.number(stride, "stride"))
        if r.random() < 0.3:
            expr = add(expr, self.number(r.choice([1, 1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33]), "offset"))
        return expr

    def shaped(self, a, b, depth=0):
        """One of the shapes that people give to an index made of two leaves."""
        r = self.rng
        shape = r.choices(
            ["one", "affine", "rowmajor", "swizzle", "fold", "modulo", "split", "reverse", "pad", "select", "clamp", "rotate", "mask", "square"],
            [8, 10, 14, 7, 3, 6, 7, 3, 5, 4, 3, 5, 4, 1])[0]
        pitch = r.choice([16, 17, 31, 32, 32, 33, 36, 40, 64, 65, self.block[0], self.block[0] + 1])
        if shape == "one":
            return a
        if shape == "affine":
            return self.affine(a)
        if shape == "rowmajor":
            return add(mul(a, self.number(pitch, "pitch")), b)
        if shape == "swizzle":
            kind = r.randrange(4)
            if kind == 0:
                return add(mul(mask(a, 31), const(32)), mask(xor(b, a), 31))
            if kind == 1:
                return xor(b, shl(mask(a, 7), r.choice([1, 2, 3])))
            if kind == 2:
                return xor(a, shr(a, r.choice([1, 2, 3, 4, 5])))
            return Expr(f"swizzle({a.text}, {b.text})", 1023)
        if shape == "fold":
            return add(mask(a, r.choice([7, 15, 31])), mul(shr(a, r.choice([2, 3, 5])), const(r.choice(STRIDES))))
        if shape == "modulo":
            return mod(self.affine(add(a, b) if r.random() < 0.4 else a), r.choice([5, 7, 11, 13, 24, 29, 31, 32, 33, 48, 61, 64, 96, 100, 127, 192]))
        if shape == "split":
            d = r.choice([2, 3, 4, 5, 6, 8, 10, 16, 32])
            return add(mul(mod(a, d), const(r.choice(STRIDES))), mul(div(a, d), const(r.choice(STRIDES))))
        if shape == "reverse":
            return minus_from(a.hi + r.choice([0, 0, 1, 3]), a)
        if shape == "pad":
            return add(a, r.choice([div(a, 32), shr(a, 5), shr(a, 4), div(a, 8)]))
        if shape == "select":
            return select(self.condition()[0], a, self.shaped(b, a, depth + 1) if depth < 1 else b)
        if shape == "clamp":
            return smaller(self.affine(a), r.choice([7, 20, 31, 63, 100]))
        if shape == "rotate":
            return mod(add(a, b), r.choice([8, 16, 31, 32, 33, 64]))
        if shape == "mask":
            return mask(self.affine(a), r.choice([1, 3, 7, 15, 31, 63, 127, 28, 60]))
        return mod(mul(a, a), r.choice([61, 64, 97]))

    def index(self, space):
        r = self.rng
        loop = self.loops[-1] if self.loops and r.random() < 0.85 else None
        if space == "global":
            first = self.global_leaf() if r.random() < 0.75 else self.thread_leaf()
        else:
            first = self.thread_leaf()
        second = r.choice(self.loops) if loop and r.random() < 0.7 else self.thread_leaf()
        if r.random() < 0.4:
            first, second = second, first
        expr = self.shaped(first, second)
        if loop and not re.search(rf"\b{loop.text}\b", expr.text):
            stride = const(r.choice(STRIDES))
            expr = r.choice([lambda: add(expr, loop), lambda: add(expr, mul(loop, stride)), lambda: add(mul(expr, stride), loop), lambda: xor(expr, loop)])()
        if space == "global" and r.random() < 0.3:
            expr = add(mul(self.block_leaf(), self.number(r.choice([32, 33, 64, 128, 256, 1000]), "chunk")), expr)
        if expr.hi >= MAX_INDEX:
            expr = mod(expr, r.choice([4096, 10007, 65536]))
        return expr

    def wrapped(self, expr, size):
        """expr, in bounds of an array of that many elements."""
        if expr.hi < size:
            return expr
        if size & (size - 1) == 0 and self.rng.random() < 0.7:
            return mask(expr, size - 1)
        return mod(expr, size) if self.rng.random() < 0.9 else smaller(expr, size - 1)

    def element_of(self, array):
        """The text of one random element of the array."""
        if array.dims is None:
            expr = self.index("global")
            array.needed = max(array.needed, expr.hi + 1)
            return f"{array.name}[{expr.text}]"
        if len(array.dims) == 1:
            return f"{array.name}[{self.wrapped(self.index('shared'), array.dims[0]).text}]"
        rows, columns = array.dims
        a, b = self.thread_leaf(), self.thread_leaf()
        if self.loops and self.rng.random() < 0.85:
            a, b = self.rng.choice([(a, self.loops[-1]), (self.loops[-1], b), (self.loops[-1], self.loops[0])])
        if self.rng.random() < 0.35:
            a = self.shaped(a, b, 1)
        if self.rng.random() < 0.35:
            b = self.shaped(b, a, 1)
        return f"{array.name}[{self.wrapped(a, rows).text}][{self.wrapped(b, columns).text}]"

    # --- conditions, loops ------------------------------------------------------------------------------------------------
    def condition(self):
        """Text, and what it says about the upper bound of a name."""
        r = self.rng
        leaf = r.choice([self.thread_leaf, self.thread_leaf, self.block_leaf])()
        if self.loops and r.random() < 0.3:
            leaf = r.choice(self.loops)
        kind = r.randrange(7)
        if kind <= 1 and leaf.hi > 0:
            limit = self.number(r.randint(1, leaf.hi), "limit")
            return f"{leaf.text} < {limit.text}", {leaf.text: limit.hi - 1}
        if kind == 2:
            return f"({leaf.text} & {r.choice([1, 1, 2, 3, 4])}) == 0", {}
        if kind == 3:
            m = r.choice([2, 3, 4, 5])
            return f"{leaf.text} % {m} == {r.randrange(m)}", {}
        if kind == 4:
            return f"{leaf.text} {r.choice(['<=', '>', '!=', '>='])} {self.thread_leaf().text}", {}
        if kind == 5:
            n = r.randint(1, max(1, leaf.hi))
            return f"{leaf.text} >= {n}", {}
        other = self.thread_leaf()
        return f"{leaf.text} > {r.randint(0, max(0, leaf.hi - 1))} {r.choice(['&&', '||'])} {other.text} % {r.choice([2, 3, 7])} != 0", {}

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def fresh(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def open_loop(self, stems="kij"):
        """Emits the head of a loop, with its opening brace; returns what close_loop needs."""
        r = self.rng
        name = stems[len(self.loops) % len(stems)]
        if any(loop.text == name for loop in self.loops):
            name = self.fresh(name)
        most = 32 if not self.loops else 6
        trips = r.choice([1, 2, 2, 3, 4, 4, 5, 7, 8, 8, 12, 16, 16, 17, 24, 32])
        trips = min(trips, most)
        kind = r.choices(["up", "parametric", "step", "down", "halving", "doubling", "block_stride", "triangular", "from_thread"],
                         [30, 25, 8, 4, 6, 4, 10, 5, 4])[0]
        pragma = r.choices([None, "#pragma unroll", "#pragma unroll 1", "#pragma unroll 2", "#pragma unroll 4"], [60, 14, 12, 6, 8])[0]
        if kind in ("block_stride", "from_thread", "triangular") and self.loops:
            kind = "up"
        hi = trips - 1
        if kind == "parametric":
            head = f"for (int {name} = 0; {name} < {self.parameter('trips', trips).text}; ++{name})"
        elif kind == "step":
            step = r.choice([2, 3, 4])
            hi = step * (trips - 1)
            head = f"for (int {name} = 0; {name} < {step * trips}; {name} += {step})"
        elif kind == "down":
            head = f"for (int {name} = {hi}; {name} >= 0; --{name})"
        elif kind == "halving":
            hi = r.choice([4, 8, 16, 32])
            head = f"for (int {name} = {hi}; {name} > 0; {name} >>= 1)"
        elif kind == "doubling":
            hi = r.choice([4, 8, 16])
            head = f"for (int {name} = 1; {name} <= {hi}; {name} *= 2)"
        elif kind == "block_stride":
            total = r.choice([self.threads, 2 * self.threads, self.threads + 13, 3 * self.threads - 5, 64, 100])
            hi = max(0, max(total, 1) - 1)
            head = f"for (int {name} = tid; {name} < {self.number(max(total, 1), 'count', 0.4).text}; {name} += {self.threads})"
        elif kind == "triangular":
            leaf = self.thread_leaf()
            limit = r.choice([5, 8, 13])
            bound = mod(leaf, limit)
            hi = bound.hi
            head = f"for (int {name} = 0; {name} <= {bound.text}; ++{name})"
        elif kind == "from_thread":
            leaf = self.name_of("lane")
            hi = max(r.choice([31, 40, 63]), leaf.hi)
            head = f"for (int {name} = {leaf.text}; {name} <= {hi}; {name} += {r.choice([7, 8, 32])})"
        else:
            head = f"for (int {name} = 0; {name} < {trips}; ++{name})"
        if pragma:
            self.emit(pragma)
        self.emit(head + " {")
        self.depth += 1
        self.loops.append(Expr(name, hi))

    def close_loop(self):
        self.loops.pop()
        self.depth -= 1
        self.emit("}")

    def guarded(self, body, otherwise=None):
        text, limits = self.condition()
        saved = dict(self.limits)
        for name, hi in limits.items():
            if name in self.definitions:
                self.limits[name] = min(hi, self.limits.get(name, hi))
        self.emit(f"if ({text}) {{")
        self.depth += 1
        body()
        self.depth -= 1
        self.limits = saved
        if otherwise:
            self.emit("} else {")
            self.depth += 1
            otherwise()
            self.depth -= 1
        self.emit("}")

    def around(self, body):
        """body, in a loop, a branch, both, or neither."""
        kind = self.rng.choices(["plain", "loop", "if", "if_else", "loop_if", "if_loop", "loop_loop"], [30, 28, 10, 6, 8, 6, 8])[0]
        if kind == "plain" or len(self.loops) >= 3:
            body()
        elif kind == "loop":
            self.open_loop()
            body()
            self.close_loop()
        elif kind == "if":
            self.guarded(body)
        elif kind == "if_else":
            self.guarded(body, body)
        elif kind == "loop_if":
            self.open_loop()
            self.guarded(body)
            self.close_loop()
        elif kind == "if_loop":
            self.guarded(lambda: self.inside_loop(body))
        else:
            self.open_loop()
            self.inside_loop(body)
            self.close_loop()

    def inside_loop(self, body):
        self.open_loop()
        body()
        self.close_loop()

    # --- values -----------------------------------------------------------------------------------------------------------
    def scalar_of(self, element, value):
        """The value of an element, as a float to accumulate."""
        if element in ("float2",):
            return f"{value}.x + {value}.y"
        if element == "float4":
            # A part of a vector is all that some programs need.
            return f"{value}.x + {value}.w" if self.rng.random() < 0.1 else f"{value}.x + {value}.y + {value}.z + {value}.w"
        if element == "int4":
            return f"(float)({value}.x ^ {value}.y ^ {value}.z ^ {value}.w)"
        return value if element == "float" else f"(float){value}"

    def element_from(self, element):
        """An element made of the accumulator."""
        if element == "float2":
            return "make_float2(acc, acc + 1.0f)"
        if element == "float4":
            return "make_float4(acc, acc + 1.0f, acc + 2.0f, acc + 3.0f)"
        if element == "int4":
            return "make_int4((int)acc, tid, (int)acc + 2, 3)"
        return {"float": "acc", "int": "(int)acc", "double": "(double)acc"}.get(element, f"({element})(int)acc")

    def buffer(self, element, direction):
        """The input or output buffer of that type."""
        key = (element, direction)
        if key not in self.buffers:
            self.buffers[key] = Array(f"{direction}_{element.replace(' ', '_')}", element)
        return self.buffers[key]

    def any_type(self, vectors=0.25):
        return self.rng.choice(VECTORS) if self.rng.random() < vectors else self.rng.choices(SCALARS, [1, 1, 1, 4, 8, 2])[0]

    # --- statements with accesses -----------------------------------------------------------------------------------------
    def accumulate(self, array):
        value = self.fresh("v")
        self.emit(f"const {array.element} {value} = {self.element_of(array)};")
        operator = self.rng.choice(["acc += {};", "acc += {};", "acc = acc * 0.5f + ({});", "acc -= {};"])
        self.emit(operator.format(self.scalar_of(array.element, value)))

    def accumulate_directly(self, array):
        if array.element in VECTORS:
            self.accumulate(array)
        else:
            self.emit(f"acc += {self.scalar_of(array.element, self.element_of(array))};")

    def read(self, array):
        self.around(lambda: self.rng.choice([self.accumulate, self.accumulate_directly])(array))

    def read_neighbours(self, array):
        """A short run of consecutive elements: what compilers merge."""
        if array.dims is None or len(array.dims) != 1 or array.dims[0] < 8:
            return self.read(array)
        count = self.rng.choice([2, 4, 4, 3])
        base = self.wrapped(mul(self.thread_leaf(), const(self.rng.choice([count, 4, 8, 5]))), array.dims[0] - count)
        if self.rng.random() < 0.7:
            self.emit("#pragma unroll")
            self.emit(f"for (int m = 0; m < {count}; ++m)")
            value = f"{array.name}[{base.at(ADD)} + m]"
            self.emit("  acc += " + (self.scalar_of(array.element, value) if array.element in SCALARS else f"{value}.x") + ";")
            return None
        for m in range(count):
            value = self.fresh("v")
            self.emit(f"const {array.element} {value} = {array.name}[{base.at(ADD)} + {m}];")
            self.emit(f"acc += {self.scalar_of(array.element, value)};")
        return None

    def fill(self, array):
        def one():
            if self.rng.random() < 0.65:
                source = self.buffer(array.element, "in")
                if self.rng.random() < 0.5:
                    self.emit(f"{self.element_of(array)} = {self.element_of(source)};")
                else:
                    value = self.fresh("v")
                    self.emit(f"const {array.element} {value} = {self.element_of(source)};")
                    self.emit(f"{self.element_of(array)} = {value};")
            else:
                self.emit("acc += 1.0f;")
                self.emit(f"{self.element_of(array)} = {self.element_from(array.element)};")
        self.around(one)

    def fill_whole(self, array):
        """The tile loop that covers an array, a thread an element."""
        if len(array.dims) == 2 and self.rng.random() < 0.5 and self.block[1] > 1:
            rows, columns = array.dims
            source = self.buffer(array.element, "in")
            source.needed = max(source.needed, rows * columns + self.blocks * 64)
            self.emit(f"for (int r = ty; r < {rows}; r += {self.block[1]})")
            self.emit(f"  for (int c = tx; c < {columns}; c += {self.block[0]})")
            self.emit(f"    {array.name}[r][c] = {source.name}[bid * 64 + r * {columns} + c];")
            return
        total = array.dims[0] * (array.dims[1] if len(array.dims) > 1 else 1)
        element = f"{array.name}[i]" if len(array.dims) == 1 else f"{array.name}[i / {array.dims[1]}][i % {array.dims[1]}]"
        source = self.buffer(array.element, "in")
        chunk = self.rng.choice([0, 32, total])
        source.needed = max(source.needed, total + self.blocks * chunk)
        address = "i" if chunk == 0 else f"bid * {chunk} + i"
        self.emit(f"for (int i = tid; i < {total}; i += {self.threads})")
        self.emit(f"  {element} = {source.name}[{address}];")

    def barrier(self):
        self.emit("__syncthreads();")

    def shared_atomic(self, counters):
        def one():
            target = self.element_of(counters)
            operation, operand = self.rng.choice([("Add", "1"), ("Add", "tid"), ("Max", "tid"), ("Min", "lane"), ("Or", "1 << lane"), ("Xor", "tid"), ("And", "lane"), ("Exch", "tid")])
            if self.rng.random() < 0.3:
                self.emit(f"acc += (float)atomic{operation}(&{target}, {operand});")
            else:
                self.emit(f"atomic{operation}(&{target}, {operand});")
        self.around(one)

    def global_atomic(self):
        element = self.rng.choice(["int", "float"])
        operation = self.rng.choice(["Add", "Max", "Or"]) if element == "int" else "Add"
        buffer = self.buffer(element, "sums")
        operand = "tid" if element == "int" else "acc"
        result = "acc += (float)" if self.rng.random() < 0.2 else ""
        self.around(lambda: self.emit(f"{result}atomic{operation}(&{self.element_of(buffer)}, {operand});"))

    def write_out(self):
        element = self.any_type()
        buffer = self.buffer(element, "out")
        if self.rng.random() < 0.6:
            buffer.needed = max(buffer.needed, self.threads * self.blocks)
            if self.rng.random() < 0.3:
                n = self.threads * self.blocks - self.rng.choice([0, 1, 5, self.threads // 2])
                self.emit(f"if (gid < {self.number(max(n, 1), 'n', 0.7).text})")
                self.emit(f"  {buffer.name}[gid] = {self.element_from(element)};")
            else:
                self.emit(f"{buffer.name}[gid] = {self.element_from(element)};")
            return
        self.around(lambda: self.emit(f"{self.element_of(buffer)} = {self.element_from(element)};"))
        # Whatever happened above, the accumulator is not dead.
        result = self.buffer("float", "result")
        result.needed = max(result.needed, self.threads * self.blocks)
        self.emit(f"{result.name}[gid] = acc;")

    # --- kernels ----------------------------------------------------------------------------------------------------------
    def shared_array(self, name, element=None, dynamic=False):
        r = self.rng
        element = element or self.any_type(0.2)
        budget = SHARED_BYTES - sum(a.bytes for a in self.arrays)
        if not dynamic and r.random() < 0.45:
            rows = r.choice([8, 16, 16, 32, 32, self.block[1]])
            columns = r.choice([8, 16, 32, 32, 64, min(self.block[0], 128)]) + r.choice([0, 0, 0, 1, 1, 2, 4])
            dims = (rows, columns)
        else:
            dims = (r.choice([32, 64, 100, 128, 256, 257, 512, 1000, 1024, 2048, max(self.threads, 2), self.threads + 1]),)
        array = Array(name, element, dims, dynamic)
        if array.bytes > budget // 2:
            array.dims = (32,)
        self.arrays.append(array)
        return array

    def generate(self):
        r = self.rng
        self.inline_builtins = r.random() < 0.25
        kinds = [self.composed, self.streaming, self.transpose, self.reduction, self.tiled_product, self.stencil, self.kept_index, self.register_tile]
        r.choices(kinds, [55, 12, 7, 6, 7, 5, 4, 4])[0]()
        if self.data_dependent:
            self.lookup()
        self.write_out()

    def composed(self):
        r = self.rng
        dynamic = r.random() < 0.15
        for n in range(r.choices([1, 2, 3], [5, 4, 2])[0]):
            self.shared_array(["tile", "cache", "extra"][n], dynamic=dynamic and n == 0)
        counters = None
        if r.random() < 0.15:
            counters = Array("counters", "int", (r.choice([16, 32, 64, 100, 256]),))
            self.arrays.append(counters)
            self.emit(f"for (int i = tid; i < {counters.dims[0]}; i += {self.threads})")
            self.emit("  counters[i] = 0;")
            self.barrier()
        data = [a for a in self.arrays if a is not counters]
        outer = r.random() < 0.3
        if outer:
            trips = r.choice([1, 2, 3, 4])
            if r.random() < 0.3:
                self.emit("#pragma unroll 1")
            self.emit(f"for (int t = 0; t < {self.number(trips, 'tiles', 0.5).text}; ++t) {{")
            self.depth += 1
            self.loops.append(Expr("t", trips - 1))
        for array in data:
            (self.fill_whole if r.random() < 0.3 else self.fill)(array)
            if r.random() < 0.25:
                self.fill(array)
        self.barrier()
        for array in data:
            for _ in range(r.choice([1, 1, 2])):
                (self.read_neighbours if r.random() < 0.15 else self.read)(array)
        if counters:
            self.shared_atomic(counters)
        if r.random() < 0.25:
            array = r.choice(data)
            self.barrier()
            self.around(lambda: self.emit(f"{self.element_of(array)} = {self.element_from(array.element)};"))
            self.barrier()
            self.read(array)
        if outer:
            self.barrier()
            self.loops.pop()
            self.depth -= 1
            self.emit("}")
        if counters:
            self.barrier()
            self.accumulate(counters)
        if r.random() < 0.12:
            self.global_atomic()

    def streaming(self):
        """Global memory only."""
        r = self.rng
        if r.random() < 0.3:
            n = max(1, self.threads * self.blocks - r.choice([0, 1, 7, self.threads // 2]))
            self.emit(f"if (gid >= {self.number(n, 'n', 0.7).text})")
            self.emit("  return;")
        for _ in range(r.randint(1, 3)):
            self.read(self.buffer(self.any_type(), "in"))
        if r.random() < 0.3:
            total = self.threads * self.blocks
            n = r.choice([total, 2 * total, 3 * total + 17])
            element = self.any_type()
            source, target = self.buffer(element, "in"), self.buffer(element, "out")
            source.needed, target.needed = max(source.needed, n), max(target.needed, n)
            self.emit(f"for (int i = gid; i < {self.parameter('n', n).text}; i += {total})")
            self.emit(f"  {target.name}[i] = {source.name}[i];")
        if r.random() < 0.3:
            self.global_atomic()

    def transpose(self):
        r = self.rng
        side = r.choice([8, 16, 32, 32])
        self.block = (side, r.choice([side, side // 2, 4]), 1)
        self.grid = (r.randint(1, 4), r.randint(1, 4), 1)
        self.reshape()
        element = self.any_type(0.1)
        width, height = side * self.grid[0], side * self.grid[1]
        pad = r.choice([0, 0, 1, 1, 2])
        self.arrays.append(Array("tile", element, (side, side + pad)))
        source, target = self.buffer(element, "in"), self.buffer(element, "out")
        source.needed, target.needed = (max(b.needed, width * height) for b in (source, target))
        w, h = self.parameter("width", width).text, self.parameter("height", height).text
        column = r.choice(["tx", "tx", f"tx ^ ty % {side}"]) if pad == 0 else "tx"
        self.emit(f"const int x = blockIdx.x * {side} + tx;")
        self.emit(f"const int y = blockIdx.y * {side} + ty;")
        self.emit(f"for (int j = 0; j < {side}; j += {self.block[1]})")
        self.emit(f"  tile[ty + j][{column}] = {source.name}[(y + j) * {w} + x];")
        self.barrier()
        self.emit(f"const int u = blockIdx.y * {side} + tx;")
        self.emit(f"const int v = blockIdx.x * {side} + ty;")
        self.emit(f"for (int j = 0; j < {side}; j += {self.block[1]})")
        self.emit(f"  {target.name}[(v + j) * {h} + u] = tile[tx][ty + j];")

    def reduction(self):
        r = self.rng
        self.block = (r.choice([32, 64, 128, 256, 512]), 1, 1)
        self.reshape()
        n = self.threads
        element = r.choice(["float", "int", "double", "float"])
        self.arrays.append(Array("partial", element, (n,)))
        source = self.buffer(element, "in")
        source.needed = max(source.needed, n * self.blocks)
        self.emit(f"partial[tid] = {source.name}[gid];")
        self.barrier()
        kind = r.randrange(3)
        if kind == 0:
            self.emit(f"for (int s = {n // 2}; s > 0; s >>= 1) {{")
            guard, left, right = "tid < s", "tid", "tid + s"
        elif kind == 1:
            self.emit(f"for (int s = 1; s < {r.choice([str(n), '(int)blockDim.x'])}; s *= 2) {{")
            guard, left, right = "tid % (2 * s) == 0", "tid", "tid + s"
        else:
            self.emit(f"for (int s = 1; s < {n}; s *= 2) {{")
            guard, left, right = f"2 * s * tid < {n}", "2 * s * tid", "2 * s * tid + s"
        self.depth += 1
        self.emit(f"if ({guard}) {{")
        self.depth += 1
        self.emit(f"const {element} a = partial[{left}];")
        self.emit(f"const {element} b = partial[{right}];")
        self.emit(f"partial[{left}] = a {'^' if element == 'int' else '+'} b;")
        self.depth -= 1
        self.emit("}")
        self.barrier()
        self.depth -= 1
        self.emit("}")
        self.emit(f"acc += {self.scalar_of(element, 'partial[0]')};")

    def tiled_product(self):
        r = self.rng
        side = r.choice([8, 16, 32])
        self.block = (side, side, 1)
        self.grid = (r.randint(1, 3), r.randint(1, 3), 1)
        self.reshape()
        pad = r.choice([0, 0, 1])
        depth = side * r.randint(1, 3)
        element = r.choice(["float", "float", "double", "int"])
        self.arrays += [Array("left", element, (side, side + pad)), Array("right", element, (side, side + r.choice([0, pad])))]
        a = self.buffer(element, "in")
        a.needed = max(a.needed, side * self.grid[1] * depth, depth * side * self.grid[0])
        k, width = self.parameter("depth", depth).text, self.parameter("width", side * self.grid[0]).text
        transposed = r.random() < 0.4
        self.emit(f"for (int t = 0; t < {k} / {side}; ++t) {{")
        self.depth += 1
        self.emit(f"left[{'tx][ty' if transposed else 'ty][tx'}] = {a.name}[row * {k} + t * {side} + tx];")
        self.emit(f"right[ty][tx] = {a.name}[(t * {side} + ty) * {width} + col];")
        self.barrier()
        pragma = r.choice([None, "#pragma unroll", "#pragma unroll 1", "#pragma unroll 4"])
        if pragma:
            self.emit(pragma)
        self.emit(f"for (int k = 0; k < {side}; ++k) {{")
        self.depth += 1
        self.emit(f"const {element} a = left[{'k][ty' if transposed else 'ty][k'}];")
        self.emit(f"const {element} b = right[{r.choice(['k][tx', 'k][tx', 'tx][k'])}];")
        self.emit("acc += " + ("a * b;" if element == "float" else "(float)(a * b);"))
        self.depth -= 1
        self.emit("}")
        self.barrier()
        self.depth -= 1
        self.emit("}")

    def stencil(self):
        r = self.rng
        self.block = (r.choice([32, 64, 128, 100]), 1, 1)
        self.reshape()
        n, radius = self.threads, r.choice([1, 2, 3, 4])
        element = r.choice(["float", "short", "double", "int"])
        self.arrays.append(Array("line", element, (n + 2 * radius,)))
        source = self.buffer(element, "in")
        source.needed = max(source.needed, n * self.blocks + 2 * radius)
        self.emit(f"line[tid + {radius}] = {source.name}[gid + {radius}];")
        self.emit(f"if (tid < {radius}) {{")
        self.depth += 1
        self.emit(f"line[tid] = {source.name}[gid];")
        self.emit(f"line[tid + {n + radius}] = {source.name}[gid + {n + radius}];")
        self.depth -= 1
        self.emit("}")
        self.barrier()
        reach = self.parameter("radius", radius).text if r.random() < 0.4 else str(radius)
        self.emit(f"for (int d = -{reach}; d <= {reach}; ++d)")
        self.emit(f"  acc += {self.scalar_of(element, f'line[tid + {radius} + d]')};")

    def kept_index(self):
        """An index that is computed, kept in shared memory, and read back after a barrier."""
        r = self.rng
        slots = Array("slot", r.choice(["int", "short", "int"]), (self.threads,))
        self.arrays.append(slots)
        data = self.shared_array("data", r.choice(["float", "int", "double"]))
        count = data.dims[0]
        self.emit(f"slot[tid] = {self.wrapped(self.shaped(self.thread_leaf(), self.thread_leaf(), 1), count).text};")
        self.fill_whole(data)
        self.barrier()
        read = self.rng.choice(["tid", f"{self.threads - 1} - tid", f"tid ^ 1" if self.threads % 2 == 0 else "tid"])
        self.emit(f"const int where = slot[{read}];")
        element = "data[where]" if len(data.dims) == 1 else f"data[where][{self.wrapped(self.thread_leaf(), data.dims[1]).text}]"
        self.emit(f"acc += {self.scalar_of(data.element, element)};")

    def register_tile(self):
        r = self.rng
        tile = self.shared_array("tile", r.choice(["float", "float", "int", "double"]))
        self.fill_whole(tile)
        self.barrier()
        count = r.choice([2, 4, 8])
        self.emit(f"float sum[{count}] = {{}};")
        trips = r.choice([2, 4, 8])
        self.emit(f"for (int k = 0; k < {self.number(trips, 'trips', 0.4).text}; ++k) {{")
        self.depth += 1
        self.loops.append(Expr("k", trips - 1))
        self.emit("#pragma unroll")
        self.emit(f"for (int m = 0; m < {count}; ++m)")
        self.loops.append(Expr("m", count - 1))
        self.emit(f"  sum[m] += {self.scalar_of(tile.element, self.element_of(tile))};")
        self.loops.pop()
        self.loops.pop()
        self.depth -= 1
        self.emit("}")
        self.emit("#pragma unroll")
        self.emit(f"for (int m = 0; m < {count}; ++m)")
        self.emit("  acc += sum[m];")

    def lookup(self):
        """An address that only the data knows: never to be predicted."""
        table, source = self.buffer("int", "in"), self.buffer("float", "in")
        table.needed = max(table.needed, self.threads * self.blocks)
        source.needed = max(source.needed, 256)
        self.emit(f"const int key = {table.name}[gid];")
        self.emit(f"acc += {source.name}[key & 255];")

    def reshape(self):
        """After a change of the block or the grid."""
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.blocks = self.grid[0] * self.grid[1] * self.grid[2]
        self.declare_names()

    # --- text -------------------------------------------------------------------------------------------------------------
    def source(self):
        body = "\n".join(self.lines)
        used, text = [], body
        for key, (definition, _) in reversed(self.definitions.items()):  # a definition may use one above it
            if re.search(rf"\b{key}\b", text):
                used.insert(0, f"  const int {key} = {definition};")
                text += "\n" + definition
        out = []
        dynamic = [a for a in self.arrays if a.dynamic]
        pointers = []
        for (element, direction), buffer in self.buffers.items():
            qualifier = "const " if direction == "in" else ""
            restrict = "__restrict__ " if direction in ("in", "out") and self.name[-1] in "02468" else ""
            pointers.append(f"{qualifier}{element} *{restrict}{buffer.name}")
        scalars = [f"int {name}" for name, _, _ in self.params]
        bounds = f" __launch_bounds__({self.threads})" if self.name[-1] in "37" else ""
        out.append(f"__global__ void{bounds} {self.name}({', '.join(pointers + scalars)}) {{")
        for array in self.arrays:
            dims = "".join(f"[{n}]" for n in array.dims)
            out.append(f"  extern __shared__ {array.element} {array.name}[];" if array.dynamic else f"  __shared__ {array.element} {array.name}{dims};")
        out += used
        out.append("  float acc = 0.0f;")
        out.append(body)
        out.append("}")
        text = "\n".join(out)
        for array in dynamic:  # names of dynamic shared memory are global to the file
            text = re.sub(rf"\b{array.name}\b", f"{array.name}_{self.name}", text)
        return text

    def launch(self):
        def dim(d):
            if d[1] == d[2] == 1:
                return str(d[0])
            return f"dim3({d[0]}, {d[1]})" if d[2] == 1 else f"dim3({d[0]}, {d[1]}, {d[2]})"
        dynamic = sum(a.bytes for a in self.arrays if a.dynamic)
        arguments = [b.name for b in self.buffers.values()] + [str(value) for _, _, value in self.params]
        shape = ", ".join([dim(self.grid), dim(self.block)] + ([str(dynamic)] if dynamic else []))
        return f"{self.name}<<<{shape}>>>({', '.join(arguments)});"


PROLOGUE = '''// Generated by {command}
#include <cstdio>
#include <cuda_runtime.h>

__device__ __forceinline__ int swizzle(int row, int column) {{
  return (row & 31) * 32 + ((row ^ column) & 31);
}}
'''

EPILOGUE = '''
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\\n", cudaGetErrorString(error));
    return 1;
  }
  return 0;
}
'''


def program(seed, file, numbers, data_dependent):
    kernels = [Kernel(seed, file, n, data_dependent) for n in numbers]
    command = f"generate_kernels.py --seed {seed} --file {file}" + (f" --kernel {numbers[0]}" if len(numbers) == 1 else "")
    out = [PROLOGUE.format(command=command)]
    out += [kernel.source() + "\n" for kernel in kernels]
    buffers = {}
    for kernel in kernels:
        for buffer in kernel.buffers.values():
            buffers.setdefault(buffer.name, [buffer.element, 0])
            buffers[buffer.name][1] = max(buffers[buffer.name][1], buffer.needed)
    out.append("int main() {")
    for name, (element, count) in sorted(buffers.items()):
        size = count * SIZES[element]
        out.append(f"  {element} *{name};\n  cudaMalloc(&{name}, {size});\n  cudaMemset({name}, 0, {size});")
    out += ["  " + kernel.launch() for kernel in kernels]
    return "\n".join(out) + EPILOGUE


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=1, help="number of programs (default: 1)")
    parser.add_argument("--kernels", type=int, default=25, help="kernels of each (default: 25)")
    parser.add_argument("--out", type=Path, help="folder for the programs, fuzz_<seed>_<file>.cu (default: standard output)")
    parser.add_argument("--file", type=int, help="only the program of this number")
    parser.add_argument("--kernel", type=int, help="only the kernel of this number")
    parser.add_argument("--data-dependent", type=float, default=0.02, metavar="P", help="share of kernels with an address that depends on data (default: 0.02)")
    options = parser.parse_args()
    if options.files < 1 or options.kernels < 1:
        parser.error("--files and --kernels must be at least 1")
    files = [options.file] if options.file is not None else range(options.files)
    numbers = [options.kernel] if options.kernel is not None else range(options.kernels)
    if options.out is None and len(files) > 1:
        parser.error("several programs need --out")
    for file in files:
        text = program(options.seed, file, numbers, options.data_dependent)
        if options.out is None:
            sys.stdout.write(text)
        else:
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / f"fuzz_{options.seed}_{file}.cu").write_text(text)


if __name__ == "__main__":
    main()
