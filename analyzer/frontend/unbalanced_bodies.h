// Functions whose brackets do not match: they take in what is declared after them, and kernels among it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "support/diagnostic.h"

namespace smem {

/// A body to be left out of a source, and the error that stands for it.
struct UnbalancedBody {
  std::string path;               ///< as Clang opened it
  std::size_t begin = 0, end = 0; ///< between the braces; the closing one may be missing
  Diagnostic error;
};

/// The body of the function around `error`, if its brackets do not match before `limit`, where something else is declared that is lost; offsets in `text`.
std::optional<UnbalancedBody> unbalanced_body(std::string_view text, std::size_t error, std::size_t limit);

/// The same of the function whose head is at `head`.
std::optional<UnbalancedBody> unbalanced_body_of(std::string_view text, std::size_t head, std::size_t limit);

/// The same text, line by line, with an error of Clang that contains `mark` instead of the body.
std::string without_body(std::string_view text, const UnbalancedBody &body, std::string_view mark);

/// Puts the error of the source where Clang reports the one with `mark`.
void restore_error(Diagnostic &diagnostic, const UnbalancedBody &body, std::string_view mark);

} // namespace smem
