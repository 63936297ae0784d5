// What Clang notes of a structure that is copied.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <llvm/ADT/StringRef.h>

namespace llvm {
class MemCpyInst;
class Value;
} // namespace llvm

namespace smem {

/// An array is one field, of its elements' type.
struct NotedField {
  std::uint64_t offset = 0, size = 0; ///< bytes
  llvm::StringRef type;               ///< "float", "any pointer", "omnipotent char", ...
};

/// The fields of the structure that `copy` copies, in order; nullopt where they are not noted.
std::optional<std::vector<NotedField>> noted_fields(const llvm::MemCpyInst &copy);

/// Does `pointer` point into a variable of the function?
bool is_local(const llvm::Value &pointer);

} // namespace smem
