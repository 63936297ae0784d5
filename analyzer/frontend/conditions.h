// Conditions of the preprocessor that leave out kernels, and what would let them in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smem {

/// A macro as `-D` takes it.
struct MacroDefinition {
  std::string name, value;

  std::string text() const { return name + "=" + value; }
  bool operator==(const MacroDefinition &) const = default;
};

/// By its name: what the build of a CUDA file fulfils.
bool is_for_cuda(const MacroDefinition &definition);

/// The definition under which the directive (`#ifdef NAME`, `#if NAME`, `#if defined(NAME)`, `#if NAME == 2`; without its `#`) holds, where
/// one of a name that is not reserved for compilers is enough.
std::optional<MacroDefinition> definition_for(std::string_view directive);

} // namespace smem
