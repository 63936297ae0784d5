// The tables of rules.h.
#pragma once

#include "nvcc/rules/rules.h"

namespace smem {

extern const CompilerRules kNvcc130;

} // namespace smem
