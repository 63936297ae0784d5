"""Conditions, loops, and statements with accesses."""
from .arrays import SCALARS, VECTORS, Array
from .expressions import ADD, Expr, const, mod, mul


class Statements:
    """Of a Kernel: the lines of its body."""

    # --- conditions, loops --------------------------------------------------------------------------------------------
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

    # --- values -------------------------------------------------------------------------------------------------------
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

    # --- statements with accesses -------------------------------------------------------------------------------------
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
