"""What a family of kernels is made of."""
import random
import string

# Of every buffer of a program. The families' sizes keep all indices within it.
BYTES = 1 << 22


class Idiom:
    """One kernel: its text and how it is launched.

    `text` has `$K` for the kernel's name and other `$x` for `values`; helpers that it defines begin with `$K`, as several kernels share a file. `arguments` are
    types, for a buffer of its own of that type, and numbers; `T1` is the type that `values` say. `template` are the arguments of a kernel that is a template.
    """

    def __init__(self, text, grid, block, arguments, shared=0, template="", **values):
        self.text, self.grid, self.block, self.arguments, self.shared, self.template, self.values = text, grid, block, arguments, shared, template, values

    def source(self, name):
        return self.named(self.named(self.text, name), name).strip() + "\n"

    def named(self, text, name):
        """With the kernel's name and values put in; a value may ask for the name itself."""
        return string.Template(text).substitute(K=name, **self.values)


class Choices:
    """The random choices of one kernel, a function of its key."""

    def __init__(self, key):
        self.random = random.Random(key)

    def of(self, *values):
        return self.random.choice(values)

    def number(self, low, high):
        return self.random.randint(low, high)

    def chance(self, share=0.5):
        return self.random.random() < share

    def maybe(self, text, share=0.5):
        return text if self.chance(share) else ""

    def restrict(self):
        return self.maybe("__restrict__ ")

    def unroll(self):
        """A pragma before a loop, or none."""
        return self.of("", "", "", "#pragma unroll\n", "#pragma unroll 4\n", "#pragma unroll 2\n", "#pragma unroll 1\n")

    def element(self):
        return self.of("float", "float", "int", "double", "unsigned")
