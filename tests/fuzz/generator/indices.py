"""The names that every kernel may use, and index expressions made of them."""
import re

from .expressions import Expr, add, const, div, mask, minus_from, mod, mul, select, shl, shr, smaller, xor

MAX_INDEX = 1 << 18

STRIDES = [1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12, 15, 16, 16, 17, 20, 24, 31, 32, 32, 33, 34, 40, 48, 64, 65, 96, 128]


class Indices:
    """Of a Kernel: what stands between brackets."""

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
