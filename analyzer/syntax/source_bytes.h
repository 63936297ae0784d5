// How much Clang has read: bounds on work go by it.
#pragma once

#include <cstdint>

namespace clang {
class SourceManager;
} // namespace clang

namespace smem {

/// The bytes of all files, included ones as often as they are, and of what macros stand for. Without the buffers in which Clang spells tokens that macros
/// paste: it takes a new one when one is full, and when it goes on after a precompiled header.
std::uint64_t source_bytes(const clang::SourceManager &sources);

} // namespace smem
