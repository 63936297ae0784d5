// Text that somebody else wrote, character by character.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace smem::sinks {

/// One character of a text, or one byte that belongs to none.
struct Character {
  std::uint32_t code = 0; ///< a Unicode scalar value; of a stray byte the byte
  std::string_view bytes; ///< as it stands in the text
  bool valid = true;      ///< false: a byte that is no UTF-8
};

/// The first character of `text`, which is not empty.
Character first_character(std::string_view text);

/// What a reader does not see or a terminal takes for an order: control characters (C0, DEL, C1), marks that turn the direction
/// of writing, characters without width, line separators, and what is no character.
bool is_hidden(std::uint32_t code);

/// A hidden character or a stray byte as visible ASCII: `\n`, `\x1b`, `\u{202e}`.
std::string visible(const Character &character);

/// Whether `text` begins with what the logs of GitHub Actions, Azure Pipelines or TeamCity take for a command anywhere in a line:
/// `##[`, `##vso[`, `##teamcity[`.
bool begins_log_command(std::string_view text);

} // namespace smem::sinks
