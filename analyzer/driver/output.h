// Where results go.
#pragma once

#include <string>

namespace smem {

/// Whether text for standard output (or error) may have colours. `wish`: --color; then NO_COLOR, CLICOLOR_FORCE, a terminal.
enum class ColorWish;
bool wants_color(ColorWish wish, int file_descriptor);

/// Messages of the program itself, a line on standard error: "smem-lint: error: MESSAGE", whatever MESSAGE holds.
void complain(const std::string &message);
void warn(const std::string &message);
void remark(const std::string &message); ///< without a word for what it is

/// Writes a text to standard output, or to a file if `output` names one. An error text, or empty.
std::string deliver(const std::string &text, const std::string &output = {});

/// The same with a text for people (sinks::terminal()). What cannot be delivered is complained of; true: it was.
bool show(const std::string &text, bool colors = false);

} // namespace smem
