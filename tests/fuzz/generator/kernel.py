"""One kernel: its shape, its text and its launch."""
import random
import re

from .indices import Indices
from .patterns import Patterns
from .statements import Statements

BLOCKS_1D = [(n, 1, 1) for n in (32, 64, 128, 256, 256, 512, 16, 17, 33, 48, 80, 96, 100, 160, 192, 250, 1)]
BLOCKS_2D = [(x, y, 1) for x, y in ((32, 8), (16, 16), (8, 8), (32, 32), (8, 32), (4, 16), (33, 3), (24, 5), (64, 4), (1, 64),
                                    (16, 4), (16, 5), (32, 1), (12, 12), (20, 10), (2, 32), (31, 4), (128, 2))]
BLOCKS_3D = [(8, 8, 4), (4, 4, 4), (16, 2, 3), (8, 4, 2), (2, 16, 5), (5, 5, 5), (32, 2, 2), (1, 8, 16), (4, 8, 3), (3, 7, 4)]


class Kernel(Indices, Statements, Patterns):
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

    # --- text -------------------------------------------------------------------------------------------------------------
    def source(self, in_function=False):
        """`in_function`: in a device function that the kernel calls, as what inlining does with an access is the compiler's, too."""
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
        parameters = ", ".join(pointers + scalars)
        out.append(f"__device__ void {self.name}_body({parameters}) {{" if in_function else f"__global__ void{bounds} {self.name}({parameters}) {{")
        for array in self.arrays:
            dims = "".join(f"[{n}]" for n in array.dims)
            out.append(f"  extern __shared__ {array.element} {array.name}[];" if array.dynamic else f"  __shared__ {array.element} {array.name}{dims};")
        out += used
        out.append("  float acc = 0.0f;")
        out.append(body)
        out.append("}")
        if in_function:
            arguments = ", ".join([buffer.name for buffer in self.buffers.values()] + [name for name, _, _ in self.params])
            out.append(f"__global__ void{bounds} {self.name}({parameters}) {{ {self.name}_body({arguments}); }}")
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
