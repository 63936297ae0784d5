// The texts of the rules, by what they are about. Examples are complete files: tests analyse them, so they cannot rot.
#pragma once

#include <span>

#include "report/rules.h"

namespace smem {

std::span<const Rule> shared_memory_rules();
std::span<const Rule> global_memory_rules();
std::span<const Rule> order_rules();
std::span<const Rule> launch_rules();
std::span<const Rule> gate_rules();

} // namespace smem
