// Conditions of the preprocessor that leave out kernels, and what would let them in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

/// A macro as `-D` takes it.
struct MacroDefinition {
  std::string name, value;

  std::string text() const { return name + "=" + value; }
  bool operator==(const MacroDefinition &) const = default;
};

/// By its name: what the build of a CUDA file fulfils.
bool is_for_cuda(const MacroDefinition &definition);

/// The definitions under which the directive (`#ifdef NAME`, `#if NAME`, `#if defined(NAME)`, `#if NAME == 2`, and these with `&&` and `||` between them; without its `#`) holds, none of a
/// name that is reserved for compilers: of alternatives that for CUDA, or else the first. What is negated or what nvcc defines is taken to hold. Empty: there are none.
std::vector<MacroDefinition> definitions_for(std::string_view directive);

/// That one where one is enough.
std::optional<MacroDefinition> definition_for(std::string_view directive);

} // namespace smem
