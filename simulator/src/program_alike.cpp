#include <algorithm>

#include "smem/program.h"

namespace smem {
namespace {

/// Without what no result depends on.
Program without_names(Program program) {
  program.kernel.clear();
  program.mangled.clear();
  for (Parameter &parameter : program.parameters)
    if (parameter.pointer)
      parameter.type.clear(); // others: whether it is signed
  for (SharedArray &array : program.shared_arrays)
    array.declaration.clear();
  return program;
}

} // namespace

bool alike(const Program &a, const Program &b) {
  if (a.location != b.location || a.blocks.size() != b.blocks.size() || a.register_count != b.register_count ||
      a.sites.size() != b.sites.size() || a.blocks != b.blocks)
    return false;
  return without_names(a) == without_names(b);
}

} // namespace smem
