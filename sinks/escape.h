// One function for each place that text may go to. Names of files, kernels and macros, source lines, messages about them, values
// of configurations and databases come from whoever wrote the code that is analysed; none of them may be more than text there.
//
// Two layers: line() where a text is put into a line, terminal() over all that is printed. The other formats need one.
#pragma once

#include <string>
#include <string_view>

namespace smem::sinks {

/// `text` as part of one line of plain text: what is_hidden(), line breaks and tabs included, is spelled visibly.
std::string line(std::string_view text);

/// A line of source, whose tabs stay.
std::string source_line(std::string_view text);

/// What is about to be printed as plain text, lines and all. Hidden characters but line feeds and tabs are spelled visibly; so are
/// the colours of styled() unless `colors`, any other escape sequence always, and what makes a line a command to a CI system:
/// `::` at the start of a line, `##[`, `##vso[`, `##teamcity[`. Text from line() and styled() passes unchanged otherwise.
std::string terminal(std::string_view text, bool colors);

/// A value of a GitHub workflow command's property, or its message; line breaks of a message stay line breaks.
std::string workflow_property(std::string_view text);
std::string workflow_message(std::string_view text);

/// Prose in Markdown: nothing in it is markup, a mention, a reference or a link; line breaks become `<br>`. Parts between
/// backticks, which our own messages put around code, stay code.
std::string markdown(std::string_view text);

/// Code in Markdown, backticks included, in a table's cell as well. Line breaks are spelled.
std::string markdown_code(std::string_view text);

/// A text or an attribute's value of HTML or XML 1.0. Line feeds and tabs stay.
std::string markup(std::string_view text);

/// A quoted scalar of YAML.
std::string yaml(std::string_view text);

/// A whole JSON document of any writer: the same values, with hidden characters and log commands in strings spelled as `\uXXXX`.
std::string json(std::string_view document);

} // namespace smem::sinks
