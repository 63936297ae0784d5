#!/usr/bin/env python3
"""Whether the launches that are assumed are launches of the program: generated host code against the system's compiler.

    assumed_launches.py --tool smem-lint --count 200

Each generated function leaves its parameters free, checks them, derives sizes from them and launches a kernel. smem-lint chooses values for
the parameters (`origin.chosen` of the JSON report). The same function, compiled by the system's C++ compiler with a stub in place of the launch,
is called with these values: it has to come to the launch, with the grid, the block, the dynamic shared memory and the arguments that smem-lint
reports. Where no values were found that has to be said, and random values may not find what smem-lint did not. The same seed makes the same programs.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

STUB = r"""
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct Left {};
static bool tries, reached;
static void launch(const char *kernel, dim3 grid, dim3 block, unsigned long dynamic, long a, long b) {
  const unsigned long threads = 1ul * block.x * block.y * block.z, blocks = 1ul * grid.x * grid.y * grid.z;
  reached = threads > 0 && threads <= 1024 && blocks > 0 && grid.x <= 0x7fffffff && grid.y <= 65535 && dynamic <= 227 * 1024;
  if (!tries) std::printf("%s %u %u %u %u %u %u %lu %ld %ld\n", kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, dynamic, a, b);
}
"""

TYPES = ("int", "int", "int", "unsigned", "long", "bool", "size_t")


class Function:
    """One host function and its kernel. Everything that the launch takes comes from the parameters."""

    def __init__(self, number, rng):
        self.number, self.rng = number, rng
        self.parameters = [(f"p{i}", rng.choice(TYPES)) for i in range(rng.randint(1, 4))]
        self.sizes = [name for name, kind in self.parameters if kind != "bool"] or ["37"]
        self.flags = [name for name, kind in self.parameters if kind == "bool"]
        self.as_struct = rng.random() < 0.2
        self.helper = rng.random() < 0.3
        self.lines = []
        self.locals = 0
        for _ in range(rng.randint(0, 3)):
            self.guard()
        for _ in range(rng.randint(0, 3)):
            self.derive()

    def leave(self):
        return self.rng.choice(("return;", "return;", "std::exit(1);", 'throw std::runtime_error("no");'))

    def guard(self):
        rng, size = self.rng, self.rng.choice(self.sizes)
        limit = rng.choice((1, 2, 7, 16, 31, 32, 48, 64, 100, 128, 256, 500, 1000, 1024, 4096))
        other, divisor = rng.choice(self.sizes), rng.choice((2, 3, 5, 7, 12, 48))
        condition = rng.choice((
            f"{size} % {divisor} != {divisor - 1}", f"({size} & ({size} - 1)) != 0", f"{size} / 8 != {other}", f"{size} != {divisor} * {other}",
            f"{size} + {other} != {limit}", f"{size} * {other} > {limit * 8}", f"{other} == 0 || {size} % {other} != 0",
            f"{size} * 3 + 1 != {limit * 3 + 1}", f"{size} < {limit} || {size} > {limit + divisor} || {size} % {divisor} != 0",
            f"{size} > {limit}", f"{size} < {limit}", f"{size} % {rng.choice((2, 4, 8, 32, 48, 96))} != 0",
            f"{size} != 0 && {size} != 1", f"{size} != {limit}", f"{size} == 0 || {size} > {limit}", f"!({size} >= 4 && {size} <= {limit + 4})"))
        if self.flags and rng.random() < 0.3:
            condition = rng.choice(("", "!")) + rng.choice(self.flags)
        if size == "37":
            return
        self.lines.append(f"if ({condition}) {self.leave()}")

    def derive(self):
        rng, size = self.rng, self.rng.choice(self.sizes)
        name = f"v{self.locals}"
        self.locals += 1
        count = rng.choice((2, 4, 32, 64, 128, 256))
        other = rng.choice(self.sizes)
        kind = rng.randrange(7)
        if kind == 0:
            self.lines.append(f"int {name} = ({size} + {count} - 1) / {count};")
        elif kind == 1:
            self.lines.append(f"int {name} = std::min<long>({size}, {count});")
        elif kind == 2:
            self.lines.append(f"int {name} = {size} > {count} ? {count} : {rng.choice((1, 16, 32))};")
        elif kind == 3:
            self.lines.append(f"int {name} = 1;\n  while ((long){name} * 2 <= (long){size} && {name} < 512) {name} *= 2;")
        elif kind == 4:
            self.lines.append(f"int {name} = {size} == 0 ? 1 : 1024 / (long){size};")
        elif kind == 5:
            self.lines.append(f"int {name} = 8;\n  switch ((int){size}) {{\n  case {count}: {name} = 32; break;\n  case {2 * count}: {name} = 64; break;\n"
                              f"  default: {name} = {rng.choice(('16', '8'))};\n  }}")
        else:
            self.lines.append(f"int {name} = std::max<long>((long){size} - (long){other}, {rng.choice((1, 4))});")
        self.sizes.append(name)

    def operand(self):
        rng, size = self.rng, self.rng.choice(self.sizes)
        return rng.choice((size, size, f"({size} + 127) / 128", f"{size} / 2 + 1", f"{size} * 2"))

    def code(self, launches):
        """`launches` writes a launch: of the kernel, its grid, block, dynamic shared memory and arguments."""
        rng = random.Random(self.number * 7919 + 1)
        self.rng = rng
        grid = rng.choice((self.operand(), f"dim3({self.operand()}, {rng.choice(('2', self.rng.choice(self.sizes)))})"))
        block = rng.choice(("128", "256", self.rng.choice(self.sizes), f"dim3(32, {rng.choice(('4', '8'))})", f"{self.rng.choice(self.sizes)} % 512 + 1"))
        dynamic = rng.choice(("0", "1024", f"{self.rng.choice(self.sizes)} * sizeof(float)"))
        arguments = (self.operand(), self.operand())
        text = launches(f"k{self.number}", grid, block, dynamic, arguments)
        if self.flags and rng.random() < 0.5:
            text = f"if ({rng.choice(self.flags)}) {{\n    {text}\n  }}"
        body = "\n  ".join(self.lines + [text])
        signature = ", ".join(f"{kind} {name}" for name, kind in self.parameters)
        if self.as_struct:
            fields = " ".join(f"{kind} {name};" for name, kind in self.parameters)
            unpack = "\n  ".join(f"const {kind} {name} = p.{name};" for name, kind in self.parameters)
            return f"struct S{self.number} {{ {fields} }};\nvoid f{self.number}(float *a, S{self.number} p) {{\n  {unpack}\n  {body}\n}}\n"
        return f"void f{self.number}(float *a, {signature}) {{\n  {body}\n}}\n"

    def cuda(self):
        kernel = (f"__global__ void k{self.number}(float *a, long x, long y) {{\n"
                  "  extern __shared__ float s[];\n  a[blockIdx.x * x + threadIdx.x * y] = 1;\n  if (x == 123456789) s[threadIdx.x] = 1;\n}\n")
        return kernel + self.code(lambda k, g, b, d, a: f"{k}<<<{g}, {b}, {d}>>>(a, {a[0]}, {a[1]});")

    def cpp(self):
        code = self.code(lambda k, g, b, d, a: f'launch("{k}", {g}, {b}, {d}, {a[0]}, {a[1]});')
        values = ", ".join(f"({kind})v[{i}]" for i, (_, kind) in enumerate(self.parameters))
        call = f"f{self.number}(nullptr, S{self.number}{{{values}}});" if self.as_struct else f"f{self.number}(nullptr, {values});"
        code = code.replace("std::exit(1)", "throw Left()")
        return code, f"  case {self.number}: {call} break;\n"


MAIN = r"""
int main(int argc, char **argv) {
  long v[8] = {};
  for (int i = 2; i < argc; ++i) v[i - 2] = std::atol(argv[i]);
  tries = argc < 2;
  if (!tries) {
    call(std::atoi(argv[1]), v);
    return 0;
  }
  const long likely[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 32, 48, 64, 96, 100, 128, 256, 500, 512, 1000, 1024, 2048, 4096};
  std::mt19937 random(1);
  for (int function = 0; function < COUNT; ++function) {
    reached = false;
    for (int i = 0; i < 4000 && !reached; ++i) {
      for (long &each : v) each = random() % 3 == 0 ? long(random() % 5000) : likely[random() % (sizeof likely / sizeof *likely)];
      try { call(function, v); } catch (...) {}
    }
    if (reached) std::printf("%d\n", function);
  }
}
"""


def run(command, **arguments):
    return subprocess.run(command, capture_output=True, text=True, check=False, **arguments)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tool", required=True)
    options.add_argument("--compiler", default=shutil.which("c++") or "c++")
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--least-found", type=float, default=0.98, help="of those that are known to be reachable")
    options.add_argument("--keep", help="a folder for the programs")
    wish = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(wish.keep or temporary)
        rng = random.Random(wish.seed)
        functions = [Function(i, rng) for i in range(wish.count)]
        (folder / "launches.cu").write_text("#include <algorithm>\n#include <cstdlib>\n#include <stdexcept>\n" + "".join(f.cuda() for f in functions))
        parts = [f.cpp() for f in functions]
        (folder / "launches.cpp").write_text(STUB + "".join(code for code, _ in parts) + "static void call(int function, const long *v) {\n  switch (function) {\n" +
                                             "".join(call for _, call in parts) + "  }\n}\n" + MAIN.replace("COUNT", str(wish.count)))
        built = run([wish.compiler, "-O1", "-w", "-fno-strict-overflow", "-o", str(folder / "launches"), str(folder / "launches.cpp")])
        if built.returncode:
            sys.exit(built.stderr)
        analysed = run([wish.tool, "--cuda-path=none", "--format=json", "--fail-on=never", str(folder / "launches.cu")])
        if analysed.returncode:
            sys.exit(analysed.stderr)
        reachable = set(map(int, run([str(folder / "launches")]).stdout.split()))
        wrong, checked, fixed, not_found = [], 0, 0, []
        for launch in json.loads(analysed.stdout)["launches"]:
            number = int(launch["kernel"][1:])
            function, origin = functions[number], launch["origin"]
            if any("no values were found with which host code gets here" in text for text in origin["assumptions"]):
                not_found.append(number)
                continue
            if not origin["chosen"]:
                fixed += 1
                if origin["assumptions"]:
                    wrong.append(f"f{number}: assumes {origin['assumptions']} and does not say that nothing leads there")
                continue
            chosen = {each["name"].removeprefix("p."): each["value"] for each in origin["chosen"]}
            called = run([str(folder / "launches"), str(number)] + [str(chosen.get(name, 1024)) for name, _ in function.parameters])
            values = {each["name"]: each["value"] for each in launch["arguments"] if not each["pointer"]}
            said = " ".join(str(each) for each in [launch["kernel"], *launch["grid"], *launch["block"], launch["dynamic_shared_bytes"],
                                                   values.get("x"), values.get("y")])
            checked += 1
            if said not in called.stdout.splitlines():
                wrong.append(f"f{number} with {chosen}: smem-lint has\n  {said}\nand the program\n  {called.stdout.strip() or 'no launch'} {called.stderr.strip()}")
        for text in wrong[:10]:
            print(text)
        missed = sorted(reachable.intersection(not_found))
        found = checked / max(checked + len(missed), 1)
        print(f"{wish.count} functions: {checked} launches checked, {len(wrong)} contradict the program, {fixed} have nothing to choose, for {len(not_found)} "
              f"no values were found; random values find {len(missed)} of these{': ' + str(missed) if missed else ''}")
        # Some generated functions launch nothing whatever their parameters are.
        return 1 if wrong or checked < 0.5 * wish.count or found < wish.least_found else 0


if __name__ == "__main__":
    sys.exit(main())
