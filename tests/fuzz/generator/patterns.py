"""What kernels do: composed at random, and patterns that people write."""
from .arrays import Array
from .expressions import Expr

SHARED_BYTES = 44 * 1024


class Patterns:
    """Of a Kernel: its body, chosen at random."""

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
