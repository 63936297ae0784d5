#!/usr/bin/env python3
"""Random host programs for the differential test of the interpreter: what they launch follows from C++ alone.

A program is a function of (seed, number). It is free of undefined behaviour but for signed overflow, which both sides wrap: divisors and
shift amounts are bounded, indices masked, everything initialised. Operands that C++17 leaves unsequenced touch different variables
where one of them has side effects.
"""
import random

INTS = ["int", "unsigned", "short", "unsigned short", "signed char", "unsigned char", "char", "long", "unsigned long", "long long",
        "unsigned long long", "bool"]
WEIGHTS = [10, 7, 3, 3, 3, 3, 1, 4, 4, 2, 2, 2]
UNSIGNED = {"unsigned", "unsigned short", "unsigned char", "unsigned long", "unsigned long long", "bool"}
SUFFIX = {"unsigned": "u", "unsigned long": "ul", "unsigned long long": "ull", "long": "l", "long long": "ll"}


class Var:
    """A scalar, or something that has scalars. `group`: what shares its memory."""

    def __init__(self, name, kind, type_, group, writable=True, size=0):
        self.name, self.kind, self.type, self.group, self.writable, self.size = name, kind, type_, group, writable, size


class Program:
    def __init__(self, seed, number, opaque_share=0.12):
        self.r = random.Random(f"{seed}:{number}")
        self.n = number
        self.lines = []
        self.indent = 1
        self.names = 0
        self.opaque = self.r.random() < opaque_share
        self.loops = 0
        self.budget = self.r.randint(8, 26)
        self.functions = []

    # Expressions. `vars`: what may be read; `effects`: whether they may be written, too.
    def name(self, prefix="v"):
        self.names += 1
        return f"{prefix}{self.names}"

    def int_type(self):
        return self.r.choices(INTS, WEIGHTS)[0]

    def literal(self):
        r = self.r
        t = r.choices(["int", "unsigned", "long", "unsigned long", "long long", "unsigned long long"], [12, 3, 1, 1, 1, 1])[0]
        v = r.choice([0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 100, 127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 4096,
                      32767, 32768, 65535, 65536, 1000003, 2147483647, r.randint(0, 300), r.randint(0, 70000)])
        if t == "int" and r.random() < 0.1:
            return f"'{r.choice('aZ0~')}'"
        if t == "int" and r.random() < 0.05:
            return r.choice(["true", "false", "kA", "kB", "kC", "kD", "sizeof(short)", "sizeof(Pair)"])
        return f"{v}{SUFFIX.get(t, '')}"

    @staticmethod
    def copied(vars_):
        """What a copying lambda is to read: constant there."""
        return [Var(v.name, v.kind, v.type, v.group, writable=False) for v in Program.capturable(vars_) if v.kind in ("scalar", "const")]

    @staticmethod
    def as_integer(text, type_):
        # GCC does not promote bit-fields in every operator.
        return f"whole({text})" if type_ in ("float", "double") else f"static_cast<int>({text})" if type_ == "bits" else text

    @staticmethod
    def capturable(vars_):
        return [v for v in vars_ if not v.name.startswith("sb")] # structured bindings are not

    def split(self, vars_):
        groups = sorted({v.group for v in vars_})
        left = {g for g in groups if self.r.random() < 0.5}
        return [v for v in vars_ if v.group in left], [v for v in vars_ if v.group not in left]

    def readable(self, vars_, kinds=("scalar",)):
        return [v for v in vars_ if v.kind in kinds]

    def index(self, vars_, effects, mask, depth):
        return f"({self.expr(vars_, effects, depth - 1)}) & {mask}"

    def place(self, vars_, depth=2, effects=False):
        """A modifiable lvalue of an arithmetic type, or None: (text, type, group)."""
        r = self.r
        c = [v for v in vars_ if v.writable and v.kind in ("scalar", "array", "pair", "vec", "pointer", "bits", "vector")]
        if not c:
            return None
        v = r.choice(c)
        rest = [w for w in vars_ if w.group != v.group]
        if v.kind == "scalar":
            if v.type == "int" and r.random() < 0.08:
                others = [w for w in c if w.kind == "scalar" and w.type == "int"]
                o = r.choice(others)
                return r.choice([(f"larger({v.name}, {o.name})", "int", None),
                                 (f"(({self.expr(vars_, False, 1)}) ? {v.name} : {o.name})", "int", None),
                                 (f"(*&{v.name})", "int", v.group)])
            return v.name, v.type, v.group
        if v.kind == "array":
            i = self.index(rest, effects and depth > 1, v.size - 1, depth - 1)
            if v.type == "int" and v.size == 4 and r.random() < 0.3:
                return r.choice([(f"pick({v.name}, {i})", "int", v.group), (f"*element({v.name}, {i})", "int", v.group),
                                 (f"*({v.name} + ({i}))", "int", v.group), (f"({i})[{v.name}]", "int", v.group)])
            return f"{v.name}[{i}]", v.type, v.group
        if v.kind == "vector":
            return f"{v.name}[{self.index(rest, False, v.size - 1, 1)}]", v.type, v.group
        if v.kind == "pointer":
            return r.choice([f"*{v.name}", f"{v.name}[0]"]), v.type, v.group
        if v.kind == "pair":
            m, t = r.choice([("x", "int"), ("y", "unsigned"), ("z", "short")])
            return f"{v.name}.{m}", t, v.group
        if v.kind == "bits":
            m, t = r.choice([("a", "bits"), ("b", "bits"), ("c", "bits"), ("d", "int")])
            return f"{v.name}.{m}", t, v.group
        m = r.choice(["x", "y", None, None])
        if m:
            return f"{v.name}.{m}", "int", v.group
        return f"{v.name}[{self.expr(rest, False, 1)}]", "int", v.group

    def assignment(self, vars_, depth):
        """An expression that assigns; None where there is nothing to assign."""
        r = self.r
        # GCC evaluates a place with side effects before the right side's reads.
        left, right = self.split(vars_)
        effects = r.random() < 0.5 and bool(left)
        target = self.place(left if effects else vars_, depth, effects=effects)
        if not target:
            return None
        text, t, group = target
        self.assigned = t
        kind = r.random()
        if kind < 0.3 and t not in ("bool", "bits"):
            e = r.choice([f"++{text}", f"--{text}", f"({text})++", f"({text})--"])
            return f"({e})"
        # In C++17 the right side comes first; a place with side effects of its own must not meet what it reads.
        simple = text.replace("_", "").isalnum()
        operands = right if effects else vars_ if simple else [v for v in vars_ if group is not None and v.group != group]
        inner_effects = simple
        rhs = self.expr(operands, inner_effects and r.random() < 0.4, depth - 1)
        self.assigned = t
        op = r.choice(["=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="])
        if t in ("float", "double"):
            op = r.choice(["=", "+=", "-=", "*="])
        elif op in ("<<=", ">>="):
            rhs = f"({rhs}) & 7"
        elif op in ("/=", "%="):
            rhs = f"(({rhs}) & 15) + 1"
        self.assigned = t
        e = f"{text} {op} {rhs}"
        if r.random() < 0.15 and simple and t != "bool":
            op2 = r.choice(["+=", "^=", "-=", "*="])
            if t in ("float", "double"):
                op2 = "+="
            return f"(({e}) {op2} {self.expr([], False, 1)})"
        if r.random() < 0.06 and simple and t in ("int", "unsigned", "long"):
            return f"(++({e}))"
        return f"({e})"

    def expr(self, vars_, effects=False, depth=3):
        r = self.r
        if depth <= 0 or r.random() < 0.12:
            c = self.readable(vars_, ("scalar", "const"))
            if c and r.random() < 0.75:
                v = r.choice(c)
                return self.as_integer(v.name, v.type)
            p = self.place(vars_, 1) if vars_ and r.random() < 0.4 else None
            return self.as_integer(p[0], p[1]) if p else self.literal()
        k = r.random()
        if effects and k < 0.22:
            a = self.assignment(vars_, depth - 1)
            if a:
                return self.as_integer(a, self.assigned)
        if effects and k < 0.30:
            a = self.assignment(vars_, depth - 1)
            if a:
                return f"({a}, {self.expr(vars_, True, depth - 1)})"
        if k < 0.62:
            left, right = self.split(vars_) if effects else (vars_, vars_)
            a = self.expr(left, effects, depth - 1)
            b = self.expr(right, effects, depth - 1)
            op = r.choice(["+", "-", "*", "+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "<", ">", "<=", ">=", "==", "!="])
            if op in ("<<", ">>"):
                a = f"static_cast<{r.choice(['int', 'unsigned', 'long', 'unsigned long long', 'unsigned char'])}>({a})"
                b = f"({b}) & 7"
            elif op in ("/", "%"):
                a = f"static_cast<{self.int_type()}>({a})"
                b = f"((static_cast<{r.choice(['int', 'unsigned', 'long', 'short'])}>({b}) & 15) + 1)"
                return f"({a} {op} {b})"
            elif op in ("&", "|", "^"):
                a, b = f"static_cast<{self.int_type()}>({a})", f"static_cast<{self.int_type()}>({b})"
            return f"(({a}) {op} ({b}))"
        if k < 0.68:
            op = r.choice(["&&", "||"])
            return f"(({self.expr(vars_, effects, depth - 1)}) {op} ({self.expr(vars_, effects, depth - 1)}))"
        if k < 0.75:
            return (f"(({self.expr(vars_, effects, depth - 1)}) ? ({self.expr(vars_, effects, depth - 1)})"
                    f" : ({self.expr(vars_, effects, depth - 1)}))")
        if k < 0.82:
            t = self.int_type()
            e = self.expr(vars_, effects, depth - 1)
            return r.choice([f"static_cast<{t}>({e})", f"({t})({e})"])
        if k < 0.86:
            e = self.expr(vars_, effects, depth - 1)
            return r.choice([f"(-({e}))", f"(~static_cast<int>({e}))", f"(!({e}))", f"(+({e}))", f"(~static_cast<unsigned short>({e}))"])
        return self.call(vars_, effects, depth)

    def call(self, vars_, effects, depth):
        r = self.r
        left, right = self.split(vars_) if effects else (vars_, vars_)
        a = lambda: self.expr(left, effects, depth - 1)
        b = lambda: self.expr(right, effects, depth - 1)
        k = r.randrange(20)
        if k == 0:
            t = self.int_type()
            return f"std::{r.choice(['min', 'max'])}<{t}>({a()}, {b()})"
        if k == 1:
            t = r.choice(["int", "unsigned", "long", "unsigned long"])
            return f"ceil_div<{t}>((({a()}) & 4095), ((({b()}) & 63) + 1))"
        if k == 2:
            t = self.int_type()
            return f"times<{t}, {r.randint(-3, 9)}>({a()})"
        if k == 3:
            return f"which({r.choice(['', '+', 'static_cast<unsigned char>', 'static_cast<unsigned long>', '1 + '])}({a()}))" \
                if r.random() < 0.5 else f"which(static_cast<{r.choice(['int', 'unsigned', 'long', 'short', 'bool', 'double'])}>({a()}))"
        if k == 4:
            return f"deflt({a()})" if r.random() < 0.5 else f"deflt({a()}, {b()})"
        if k == 5:
            return f"rec(({a()}) & 3, {b()})"
        if k == 6:
            t = self.int_type()
            return f"Box<{t}>{{static_cast<{t}>({a()})}}.twice()"
        if k == 7:
            t = self.int_type()
            return f"Box<{t}>{{static_cast<{t}>({a()})}}.template as<{self.int_type()}>()"
        if k == 8:
            return f"Vec({a()}, {b()})" + r.choice([".x", "[1]", "(3)", ".scale(2).y"])
        if k == 9:
            c = [v for v in left if v.kind == "vec"]
            if c:
                v = r.choice(c).name
                return r.choice([f"{v}(1, 2)", f"static_cast<int>({v})", f"(-{v}).x", f"({v} + Vec(1, 2)).y", f"({v} ? 3 : 4)"])
        if k == 10 and self.functions:
            f, kinds = r.choice(self.functions)
            args = []
            rest = vars_
            for kind in kinds:
                mine, rest = self.split(rest) if effects else (rest, rest)
                args.append(self.expr(mine, effects, depth - 2))
            return f"{f}({', '.join(args)})"
        if k == 11:
            t = self.int_type()
            return f"([&](auto q) {{ return q + ({self.expr(self.capturable(left), False, 1)}); }}(static_cast<{t}>({b() if not effects else self.literal()})))"
        if k == 12:
            return f"apply_twice([=](int q) {{ return q * 3 - static_cast<int>({self.expr(self.copied(vars_), False, 1)}); }}, {b() if not effects else self.literal()})"
        if k == 13:
            return f"static_cast<{r.choice(['int', 'long', 'bool', 'long long'])}>(static_cast<{r.choice(['double', 'float'])}>(static_cast<short>({a()})) * {r.choice(['0.5', '1.75', '-2.25', '1e2f', '0.1'])})"
        if k == 14:
            return f"static_cast<int>(static_cast<Strong>(({a()}) & 255))"
        if k == 15:
            return f"static_cast<Plain>(({a()}) & 63)"
        if k == 16:
            return f"std::{r.choice(['min', 'max'])}({{static_cast<int>({self.expr(vars_, False, 1)}), {r.randint(-9, 99)}, {r.randint(-9, 99)}}})" \
                if r.random() < 0.3 else f"std::abs(static_cast<int>(({a()}) & 0xffff) - 500)"
        if k == 17:
            return f"(({a()}) < ({b()}))"
        if k == 18 and self.opaque:
            return f"opaque({a()})"
        return f"(({a()}) % 32 == 0 ? 32 : 16)" if r.random() < 0.2 else f"((static_cast<int>({a()}) & 1023) * 2)"

    # Statements.
    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def declare(self, vars_):
        r = self.r
        k = r.random()
        if k < 0.42:
            t = self.int_type()
            n = self.name()
            auto = r.random() < 0.12
            self.line(f"{'auto' if auto else t} {n} = {self.cast_init(t, self.expr(vars_, False, 3))};")
            vars_.append(Var(n, "scalar", t, n))
        elif k < 0.50:
            t = r.choice(["int", "int", "unsigned", "short", "unsigned char", "long"])
            n, size = self.name("a"), r.choice([2, 4, 4, 8])
            values = [f"static_cast<{t}>({self.expr(vars_, False, 1)})" for _ in range(r.choice([size, size, 1, size - 1]))]
            self.line(f"{t} {n}[{size}] = {{{', '.join(values)}}};")
            vars_.append(Var(n, "array", t, n, size=size))
        elif k < 0.56:
            n = self.name("p")
            self.line(f"Pair {n} = {{static_cast<int>({self.expr(vars_, False, 2)}), {r.randint(0, 99)}u}};" if r.random() < 0.5 else
                      f"Pair {n}{{{r.randint(0, 99)}, {r.randint(0, 99)}, {r.randint(0, 99)}}};")
            vars_.append(Var(n, "pair", "Pair", n))
        elif k < 0.63:
            n = self.name("s")
            vecs = [v for v in vars_ if v.kind == "vec"]
            init = r.choice(["", f"({self.expr(vars_, False, 2)}, {self.expr(vars_, False, 1)})"])
            if vecs and r.random() < 0.5:
                a, b = r.choice(vecs).name, r.choice(vecs).name
                init = " = " + r.choice([f"{a} + {b}", f"-{a}", a, f"({a} < {b} ? {a} : {b})"])
            self.line(f"Vec {n}{init};")
            vars_.append(Var(n, "vec", "Vec", n))
        elif k < 0.67:
            n = self.name("b")
            self.line(f"Bits {n} = {{{r.randint(0, 7)}, {r.randint(-9, 9)}, {r.randint(0, 15)}, {r.randint(-99, 99)}}};")
            vars_.append(Var(n, "bits", "Bits", n))
        elif k < 0.75:
            c = [v for v in vars_ if v.kind == "scalar" and v.writable and v.type not in ("bits",)]
            if c:
                v, n = r.choice(c), self.name("r")
                self.line(f"auto &{n} = {v.name};")
                vars_.append(Var(n, "scalar", v.type, v.group))
        elif k < 0.81:
            c = [v for v in vars_ if v.kind in ("scalar", "array") and v.writable]
            if c:
                v, n = r.choice(c), self.name("q")
                at = f"&{v.name}" if v.kind == "scalar" else f"{v.name} + {r.randrange(v.size)}" if r.random() < 0.5 else f"&{v.name}[{r.randrange(v.size)}]"
                self.line(f"auto *{n} = {at};")
                vars_.append(Var(n, "pointer", v.type, v.group))
        elif k < 0.85:
            n = self.name("w")
            values = ", ".join(str(r.randint(-50, 200)) for _ in range(4))
            self.line(f"std::vector<int> {n}{{{values}}};")
            vars_.append(Var(n, "vector", "int", n, size=4))
        elif k < 0.89:
            n = self.name("c")
            t = self.int_type()
            self.line(f"{r.choice(['const', 'constexpr'])} {t} {n} = {self.cast_init(t, self.expr([], False, 2).replace('std::vector', '')) if False else self.literal_of(t)};")
            vars_.append(Var(n, "const", t, n, writable=False))
        elif k < 0.93:
            n = self.name("f")
            t = r.choice(["float", "double"])
            self.line(f"{t} {n} = static_cast<{t}>(static_cast<short>({self.expr(vars_, False, 2)})) * {r.choice(['0.25', '3.5f', '0.1', '-1.5'])};")
            vars_.append(Var(n, "scalar", t, n))
        elif k < 0.96:
            n, m = self.name("sb"), self.name("sb")
            c = [v for v in vars_ if v.kind == "array" and v.size == 2]
            if c and r.random() < 0.5:
                v = r.choice(c)
                ref = r.random() < 0.5
                self.line(f"auto {'&' if ref else ''}[{n}, {m}] = {v.name};")
                for one in (n, m):
                    vars_.append(Var(one, "scalar", v.type, v.group if ref else one))
            else:
                o = self.name("sb")
                self.line(f"auto [{n}, {m}, {o}] = Pair{{{r.randint(-5, 50)}, {r.randint(0, 50)}u, {r.randint(-5, 50)}}};")
                for one, t in ((n, "int"), (m, "unsigned"), (o, "short")):
                    vars_.append(Var(one, "scalar", t, one))
        else:
            n = self.name("h")
            what = r.choice(["Counted", "Holder", "Derived"])
            e = f"static_cast<int>({self.expr(vars_, False, 1)})"
            if what == "Derived":
                self.line(f"Derived {n}({e}, {r.randint(0, 20)}u);")
                m = self.name()
                self.line(f"const Base &{m}_b = {n};")
                self.line(f"int {m} = {r.choice([f'{m}_b.f({r.randint(1, 9)})', f'{n}.plain()', f'static_cast<const Derived &>({m}_b).w', f'{m}_b.v', f'static_cast<Base *>(&{n})->f(2)', f'static_cast<const Derived *>(&{m}_b)->w'])};")
            else:
                m = self.name()
                field = "n" if what == "Counted" else "c.n"
                self.line(f"{what} {n}({e}), {n}_c = {n};")
                if r.random() < 0.5:
                    self.line(f"{n}_c = {n};")
                self.line(f"int {m} = {n}_c.{field}" + (f" + {n}_c.t[1];" if what == "Holder" else ";"))
            vars_.append(Var(m, "scalar", "int", m))

    def literal_of(self, t):
        limits = {"bool": 1, "signed char": 127, "unsigned char": 255, "char": 127, "short": 32767, "unsigned short": 65535}
        return str(self.r.randint(0, min(limits.get(t, 100000), 100000)))

    def cast_init(self, t, e):
        return f"static_cast<{t}>({e})"

    def block(self, vars_, depth, in_loop=False, in_function=False):
        """A compound statement's inside, with a scope of its own."""
        inner = list(vars_)
        self.indent += 1
        for _ in range(self.r.randint(1, 3)):
            self.statement(inner, depth, in_loop, in_function)
        self.indent -= 1

    def dim(self, vars_):
        r = self.r
        k = r.random()
        e = lambda: f"static_cast<unsigned>({self.expr(vars_, False, 2)})"
        if k < 0.5:
            return e()
        if k < 0.7:
            return f"dim3({e()}, {e()})"
        if k < 0.85:
            return f"dim3({e()}, {r.randint(1, 9)}, {e()})"
        return f"({e()} + 127) / 128"

    def launch(self, vars_):
        r = self.r
        e = lambda d=2: self.expr(vars_, False, d)
        pairs = [v for v in vars_ if v.kind == "pair"]
        k = r.random()
        if k < 0.15 and pairs:
            kernel, args = "structs", f"{r.choice(pairs).name}, static_cast<Plain>(({e()}) & 63)"
        elif k < 0.5:
            kernel, args = "wide", ", ".join([e(3), e(), e(), e()])
        elif k < 0.75:
            kernel, args = "ints", ", ".join([e(3), e(), e(), e()])
        elif k < 0.88:
            kernel, args = "narrow", ", ".join([e(3), e(), e(), e()])
        else:
            kernel = "reals"
            args = f"static_cast<short>({e()}) * 0.5f, static_cast<int>({e()}) / 4.0, {e()}, static_cast<Strong>(({e()}) & 255)"
            reals = [v for v in vars_ if v.type in ("float", "double") and v.kind == "scalar"]
            if reals:
                args = f"{r.choice(reals).name}, {r.choice(reals).name} + 1, {e()}, Strong::kTwo"
        shared = r.choice(["0", "0", f"static_cast<unsigned>({e()})"])
        dims = r.random()
        if dims < 0.15:
            g = self.name("g")
            self.line(f"dim3 {g}({self.literal_of('short')}, static_cast<unsigned>({e()}));")
            if r.random() < 0.6:
                self.line(f"{g}.{r.choice('xyz')} {r.choice(['=', '+=', '*='])} {r.randint(1, 40)};")
            grid = g
        else:
            grid = self.dim(vars_)
        self.line(f"LAUNCH({kernel}, ({grid}), ({self.dim(vars_)}), {shared})({args});")

    def statement(self, vars_, depth, in_loop=False, in_function=False):
        r = self.r
        self.budget -= 1
        k = r.random()
        if self.budget < -30 or k < 0.16:
            self.declare(vars_)
            return
        if k < 0.48:
            a = self.assignment(vars_, 3)
            if r.random() < 0.12:
                a = self.expr(vars_, True, 4)
            if a:
                self.line(f"{a};")
            return
        if k < 0.53:
            vecs = [v for v in vars_ if v.kind == "vec"]
            if vecs:
                a, b = r.choice(vecs).name, r.choice(vecs).name
                self.line(r.choice([f"{a} += {b};", f"++{a};", f"{a}++;", f"{a} = {b};", f"{a}.scale(3) += {b};", f"({a} += {b}).x -= 2;",
                                    f"{a} = {b} + {a};", f"++++{a};", f"({a} = {b}).y++;", f"std::swap({a}, {b});"]))
            return
        if k < 0.60:
            self.launch(vars_)
            return
        if depth <= 0:
            self.declare(vars_)
            return
        if k < 0.70:
            init = ""
            inner = vars_
            if r.random() < 0.1:
                n = self.name()
                init = f"int {n} = {self.expr(vars_, False, 1)}; "
                inner = vars_ + [Var(n, "scalar", "int", n)]
            self.line(f"if ({init}{self.expr(inner, r.random() < 0.3, 3)}) {{")
            self.block(inner, depth - 1, in_loop, in_function)
            if r.random() < 0.5:
                self.line("} else {")
                self.block(inner, depth - 1, in_loop, in_function)
            self.line("}")
            return
        if k < 0.84 and self.loops < 2:
            self.loop(vars_, depth, in_function)
            return
        if k < 0.90:
            self.switch(vars_, depth, in_loop, in_function)
            return
        if k < 0.92 and in_loop:
            self.line(f"if ({self.expr(vars_, False, 2)}) {r.choice(['break', 'continue'])};")
            return
        if k < 0.935:
            self.line(f"if ({self.expr(vars_, False, 2)}) return{' ' + self.expr(vars_, False, 1) if in_function else ''};")
            return
        if k < 0.96:
            self.lambda_(vars_)
            return
        if k < 0.975:
            self.line("{")
            c = [v for v in vars_ if v.kind == "scalar" and v.type == "int" and v.writable]
            if c and r.random() < 0.4:
                self.line(f"  Guard {self.name('z')}({r.choice(c).name}, {r.randint(-9, 9)});")
            self.block(vars_, depth - 1, in_loop, in_function)
            self.line("}")
            return
        self.special(vars_)

    def special(self, vars_):
        r = self.r
        c = [v for v in vars_ if v.kind == "scalar" and v.type == "int" and v.writable]
        arrays = [v for v in vars_ if v.kind == "array" and v.type == "int"]
        vectors = [v for v in vars_ if v.kind == "vector"]
        k = r.randrange(8)
        if k == 0 and c:
            self.line(f"{r.choice(c).name} += counter();")
        elif k == 1:
            self.line(f"global() {r.choice(['+=', '^=', '='])} {r.randint(0, 9)};")
            if c:
                self.line(f"{r.choice(c).name} ^= global();")
        elif k == 2 and arrays:
            a, n = r.choice(arrays), self.name("it")
            self.line(f"for (int *{n} = {a.name}; {n} != {a.name} + {a.size}; ++{n}) *{n} {r.choice(['+=', '^=', '*='])} {r.randint(1, 9)};")
        elif k == 3 and len(c) > 1:
            a, b = r.sample(c, 2)
            self.line(f"std::swap({a.name}, {b.name});" if a.group != b.group else f"{a.name} = {b.name};")
        elif k == 4 and vectors:
            v = r.choice(vectors).name
            self.line(r.choice([f"{v}.push_back({r.randint(0, 99)});", f"{v}.back() += 3;", f"{v}[1] += static_cast<int>({v}.size());"]))
        elif self.opaque and c:
            a = r.choice(c)
            self.line(r.choice([f"opaque_store(&{a.name}, {r.randint(0, 99)});", f"opaque_ref({a.name});", f"opaque_read(&{a.name});",
                                f"*opaque_pointer(&{a.name}) = {r.randint(0, 99)};",
                                f"({self.expr(vars_, False, 1)}) ? opaque_ref({a.name}) : opaque_ref({r.choice(c).name});"]))
            if arrays and r.random() < 0.5:
                b = r.choice(arrays)
                self.line(r.choice([f"{b.name}[opaque({r.randint(0, b.size - 1)})] = {r.randint(0, 99)};",
                                    f"*(opaque({r.randint(0, 1)}) ? &{a.name} : &{b.name}[0]) += 7;",
                                    f"for (int i = 0; i < opaque({r.randint(0, b.size)}); ++i) {b.name}[i] += i;",
                                    f"for (int i = 0; i < opaque({r.randint(0, b.size)}); ++i) if ({b.name}[i] > 3) {{ {a.name} = i; break; }}"]))
        elif c:
            self.line(f"{r.choice(c).name} = {self.expr(vars_, True, 3)};")

    def lambda_(self, vars_):
        r = self.r
        n = self.name("l")
        capture = r.choice(["&", "=", "&"])
        c = [v for v in self.capturable(vars_) if v.kind == "scalar" and v.type == "int" and v.writable]
        body = ""
        usable = self.copied(vars_)
        if capture == "&" and c:
            v = r.choice(c)
            body = f"{v.name} += static_cast<int>(k) * {r.randint(1, 5)}; "
        t = self.int_type()
        early = f"if (k > {r.randint(0, 60)}) return static_cast<int>({self.expr(usable, False, 1)}); " if r.random() < 0.4 else ""
        self.line(f"auto {n} = [{capture}]({t} k) -> int {{ {early}{body}return static_cast<int>({self.expr(usable, False, 2)} + k); }};")
        m = self.name()
        self.line(f"int {m} = {n}({self.expr(vars_, False, 2)});")
        vars_.append(Var(m, "scalar", "int", m))

    def loop(self, vars_, depth, in_function):
        r = self.r
        self.loops += 1
        n = self.name("i")
        k = r.random()
        count = r.randint(0, 6)
        counter = Var(n, "const", "int", n, writable=False)
        inner = vars_ + [counter]
        if k < 0.4:
            t = r.choice(["int", "unsigned", "long", "unsigned char"])
            step = r.choice([f"++{n}", f"{n}++", f"{n} += 2", f"{n} = {n} + 1"])
            extra = self.assignment(vars_, 1) if r.random() < 0.2 else None
            bound = str(count) if r.random() < 0.6 else f"(({self.expr([], False, 2)}) & 3) + 1"
            cast = "" if t in ("int", "long") else f"static_cast<{t}>"
            self.line(f"for ({t} {n} = 0; {n} < {cast}({bound}); {step}{', ' + extra if extra else ''}) {{")
        elif k < 0.52:
            m = self.name("m")
            self.line(f"for (int {n} = {r.choice([8, 16, 64, 100])}, {m} = 1; {n} > 1; {n} >>= 1, {m} {r.choice(['<<= 1', '*= 3', '+= ' + n])}) {{")
            inner.append(Var(m, "const", "int", m, writable=False))
        elif k < 0.68:
            self.line(f"int {n} = {count};")
            self.line(f"while ({n}-- > 0) {{" if r.random() < 0.5 else f"for (; {n} --> 0;) {{")
            vars_.append(Var(n, "const", "int", n, writable=False))
        elif k < 0.78:
            self.line(f"int {n} = {count};")
            self.line("do {")
            self.block(inner, depth - 1, False, in_function)
            self.line(f"}} while (--{n} > 0);")
            vars_.append(Var(n, "const", "int", n, writable=False))
            self.loops -= 1
            return
        else:
            c = [v for v in vars_ if v.kind in ("array", "vector")]
            if c:
                v = r.choice(c)
                how = r.choice(["auto ", "auto &", "const auto &"])
                self.line(f"for ({how}{n} : {v.name}) {{")
                element = Var(n, "scalar" if how == "auto &" else "const", v.type, v.group if how != "auto " else n, writable=how == "auto &")
                inner = [w for w in vars_ if w.kind != "vector" or w is not v] + [element]
            else:
                self.line(f"for (int {n} : {{{', '.join(str(r.randint(-9, 70)) for _ in range(r.randint(1, 4)))}}}) {{")
        self.block(inner, depth - 1, True, in_function)
        self.line("}")
        self.loops -= 1

    def switch(self, vars_, depth, in_loop, in_function):
        r = self.r
        self.line(f"switch ({r.choice([f'static_cast<int>({self.expr(vars_, r.random() < 0.3, 2)}) & 3', f'({self.expr(vars_, False, 2)}) > 5 ? 1 : 2'])}) {{")
        labels = r.sample(["case 0:", "case 1:", "case 2:", "case 3:", "default:"], r.randint(1, 5))
        for label in labels:
            self.line(label)
            if r.random() < 0.2 and label is not labels[-1]:
                continue
            self.line("{")
            self.block(vars_, depth - 1, in_loop, in_function)
            self.line("}")
            if r.random() < 0.15:
                self.line(f"if ({self.expr(vars_, False, 1)}) break;")
            if r.random() < 0.6:
                self.line("break;")
        self.line("  ;" if not labels[-1].startswith("x") else "")
        self.line("}")

    def function(self):
        """int f(params) with a body of its own."""
        r = self.r
        name = f"f{self.n}_{len(self.functions)}"
        kinds = [self.int_type() for _ in range(r.randint(1, 3))]
        params = [Var(f"x{i}", "scalar", t, f"x{i}") for i, t in enumerate(kinds)]
        out, self.lines = self.lines, []
        budget, self.budget = self.budget, 5
        functions = self.functions
        self.lines.append(f"{r.choice(['static ', '', 'inline '])}int {name}({', '.join(f'{v.type} {v.name}' for v in params)}) {{")
        scope = list(params)
        opaque, self.opaque = self.opaque, False
        launch, self.launch = self.launch, lambda vars_: None
        for _ in range(r.randint(1, 4)):
            self.statement(scope, 1, False, True)
        self.opaque, self.launch, self.budget = opaque, launch, budget
        self.line(f"return static_cast<int>({self.expr(scope, False, 2)});")
        self.lines.append("}")
        out.extend(self.lines)
        self.lines = out
        self.functions = functions + [(name, kinds)]

    def text(self):
        r = self.r
        for _ in range(r.choice([0, 0, 1, 1, 2])):
            self.function()
        self.lines.append(f"void program{self.n}() {{")
        vars_ = []
        for _ in range(r.randint(2, 5)):
            self.declare(vars_)
        while self.budget > 0:
            self.statement(vars_, 2)
        self.launch(vars_)
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"


def file_text(seed, first, count, opaque_share):
    parts = [f'#include "prelude.h"\n']
    for number in range(first, first + count):
        parts.append(Program(seed, number, opaque_share).text())
    parts.append("int main() {\n" + "".join(f"  program{n}();\n" for n in range(first, first + count)) + "}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    import argparse
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--opaque", type=float, default=0.12)
    options = parser.parse_args()
    print(file_text(options.seed, options.first, options.count, options.opaque), end="")
