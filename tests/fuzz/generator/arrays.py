"""Arrays and buffers, and the types of their elements."""
SIZES = {"char": 1, "unsigned char": 1, "short": 2, "int": 4, "float": 4, "double": 8, "float2": 8, "float4": 16, "int4": 16}
SCALARS = ["char", "unsigned char", "short", "int", "float", "double"]
VECTORS = ["float2", "float4", "int4"]


class Array:
    """A one- or two-dimensional array in shared memory, or a buffer in global memory that grows to what is asked of it."""

    def __init__(self, name, element, dims=None, dynamic=False):
        self.name, self.element, self.dims, self.dynamic = name, element, dims, dynamic
        self.needed = 1

    @property
    def bytes(self):
        count = self.dims[0] * (self.dims[1] if len(self.dims) > 1 else 1)
        return count * SIZES[self.element]
