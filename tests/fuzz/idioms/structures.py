"""Copies of structures: of all sizes and alignments, from memory to memory and through variables."""
from .idiom import Idiom

NUMBERS = {"float": 4, "int": 4, "double": 8, "long long": 8, "short": 2, "unsigned char": 1, "float2": 8, "float4": 16, "int2": 8}


def members_of(c):
    members, size, widest = [], 0, 1
    for i in range(c.number(1, 5)):
        kind = c.of("float", "float", "int", "double") if c.chance(0.6) else c.of(*NUMBERS)
        count = c.of(0, 0, 0, 2, 3, 4, 5, 8, 20)
        members.append(f"{kind} m{i}" + (f"[{count}]" if count else "") + ";")
        align = min(NUMBERS[kind], 16)
        size = -(-size // align) * align + NUMBERS[kind] * max(1, count)
        widest = max(widest, align)
    return " ".join(members), size, widest


def copied_structures(c):
    members, size, widest = members_of(c)
    align = c.of(0, 0, 8, 16, 16, 32)
    if align <= widest:
        align = 0
    step = align or widest
    bytes_of_all = -(-size // step) * step
    count = min(64, 40000 // bytes_of_all // 32 * 32) or 32
    through = c.of("  shared[at] =\n    in[t];\n", "  const Record v = in[t];\n  shared[at] = v;\n", "  Record v = in[t];\n  out[t + 128] = v.$first;\n  shared[at] = v;\n", "  const Record v = in[t];\n  shared[at] = v;\n  other[t] = v;\n",
                   "  if (t & 1)\n    shared[at] = in[t];\n  else\n    shared[at] = in[t + 64];\n", "  for (int i = 0; i < 3; ++i) {\n    shared[at] = in[t + 64 * i];\n    __syncthreads();\n    out[t + 64 * i] = words[t % $words];\n    __syncthreads();\n  }\n",
                   "  reinterpret_cast<int *>(shared)[t % $words] = t;\n  __syncthreads();\n  const Record v = shared[t];\n  other[at] = v;\n")
    return Idiom('''
struct $align ${K}_Record { $members };
__global__ void $K(const int *${r}source, int *${s}target, int *out) {
  using Record = ${K}_Record;
  __shared__ Record shared[$count];
  const int *const words = reinterpret_cast<const int *>(shared);
  const Record *const in = reinterpret_cast<const Record *>(source);
  Record *const other = reinterpret_cast<Record *>(target);
  const int t = threadIdx.x, at = $at;
$through  __syncthreads();
  out[t] = words[t * $step % $words];
}'''.replace("$through", through.replace("v.$first", "(int)*reinterpret_cast<const unsigned char *>(&v)").replace("  words[t] = t;", "  reinterpret_cast<int *>(shared)[t % $words] = t;")), (2,), (count,), ["int", "int", "int"], align=f"alignas({align})" if align else "", members=members,
                 count=count, r=c.restrict(), s=c.restrict(), at=c.of("t", "t", f"{count - 1} - t", "t ^ 1", f"t * 3 % {count}"), step=c.of(1, 1, max(1, bytes_of_all // 4)), words=max(1, count * bytes_of_all // 4))


FAMILIES = (copied_structures,)
