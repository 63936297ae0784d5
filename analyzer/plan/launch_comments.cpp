#include "plan/launch_comments.h"

#include "plan/launch_spec.h"
#include "support/nearest.h"
#include "syntax/comments.h"

#include <algorithm>
#include <cctype>

namespace smem {
namespace {

constexpr std::string_view kName = "smem-lint", kMarker = "smem-lint:";

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find("//")); }

/// Whether a declaration or a definition ends in the lines [from, to) (from 1), i.e. a comment before them is not about
/// what comes after.
bool something_ends_between(const std::vector<std::string_view> &lines, unsigned from, unsigned to) {
  for (unsigned line = from; line < to && line <= lines.size(); ++line)
    if (without_comment(lines[line - 1]).find_first_of(";}") != std::string_view::npos)
      return true;
  return false;
}

bool body_begins_between(const std::vector<std::string_view> &lines, unsigned from, unsigned to) {
  for (unsigned line = from; line < to && line <= lines.size(); ++line)
    if (without_comment(lines[line - 1]).find_first_of("{;") != std::string_view::npos)
      return true;
  return false;
}

/// What was meant by `smem-lint launch ...` and the like; empty if nothing was.
std::string lacks_colon(std::string_view text) {
  text.remove_prefix(kName.size());
  const std::size_t word = text.find_first_not_of(" \t");
  for (const std::string_view known : {"launch", "expect"})
    if (word != std::string_view::npos && word > 0 && text.substr(word).starts_with(known)) {
      const std::string_view rest = text.substr(word + known.size());
      // `smem-lint launches ...` is prose.
      if (const std::size_t value = rest.find('='); value != std::string_view::npos && rest.find_first_of(" \t") == 0)
        return std::string(kMarker) + " " + std::string(known) +
               std::string(rest.substr(0, rest.find_last_not_of(" \t*/") + 1));
    }
  return {};
}

/// The line of the kernel that a comment at `line` belongs to; 0 if none.
unsigned kernel_line_of(unsigned line, const std::vector<unsigned> &kernel_lines,
                        const std::vector<std::string_view> &lines) {
  const auto next = std::lower_bound(kernel_lines.begin(), kernel_lines.end(), line);
  if (next != kernel_lines.end() && (*next == line || !something_ends_between(lines, line, *next)))
    return *next;
  // Behind the parameters of a signature that spans lines.
  if (next != kernel_lines.begin() && !body_begins_between(lines, *std::prev(next), line))
    return *std::prev(next);
  return 0;
}

} // namespace

LaunchComments find_launch_comments(const std::string &file, std::string_view contents,
                                    const std::vector<Program> &programs) {
  LaunchComments found;
  if (contents.find(kName) == std::string_view::npos)
    return found;
  const std::vector<std::string_view> lines = split_lines(contents);
  std::vector<unsigned> kernel_lines;
  for (const Program &program : programs)
    if (program.location.file == file && program.location.known())
      kernel_lines.push_back(program.location.line);
  std::sort(kernel_lines.begin(), kernel_lines.end());

  for (const CommentLine &comment_line : comment_lines(contents)) {
    std::string_view text = comment_line.text;
    const std::size_t marker = text.find(kName);
    if (marker == std::string_view::npos ||
        text.substr(0, marker).find_first_not_of(" \t*/!<") != std::string_view::npos)
      continue;
    if (const std::string without = lacks_colon(text.substr(marker)); !without.empty())
      found.diagnostics.push_back({Diagnostic::Severity::Warning,
                                   {file, comment_line.line, comment_line.column + static_cast<unsigned>(marker)},
                                   "this comment says nothing to smem-lint without a colon: write `" + without + "`"});
    if (!text.substr(marker).starts_with(kMarker))
      continue;
    const unsigned number = comment_line.line;
    const SourceLocation location{file, number, comment_line.column + static_cast<unsigned>(marker)};
    text.remove_prefix(marker + kMarker.size());
    const std::size_t word = text.find_first_not_of(" \t");
    const auto complain = [&](std::string message) {
      found.diagnostics.push_back({Diagnostic::Severity::Error, location, std::move(message)});
    };
    if (word == std::string_view::npos) {
      complain("empty smem-lint comment; it knows `launch` and `expect`");
      continue;
    }
    text.remove_prefix(word);
    std::size_t end = 0;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '-' || text[end] == '_'))
      ++end;
    if (text.substr(0, end) == "expect")
      continue; // checked when the figures are known
    if (text.substr(0, end) != "launch") {
      complain("unknown smem-lint comment '" + std::string(text.substr(0, end)) + "'" +
               did_you_mean(text.substr(0, end), {"launch", "expect"}));
      continue;
    }
    ParsedWish parsed = parse_launch_words(text.substr(end));
    if (!parsed.error.empty()) {
      complain("launch comment: " + parsed.error);
      continue;
    }
    LaunchComment comment{location, std::move(parsed.wish), {}};
    comment.wish.provenance = Provenance::Comment;
    const unsigned kernel = kernel_line_of(number, kernel_lines, lines);
    for (std::size_t i = 0; i < programs.size() && kernel != 0; ++i)
      if (programs[i].location.file == file && programs[i].location.line == kernel)
        comment.programs.push_back(i);
    if (comment.programs.empty()) {
      found.diagnostics.push_back(
          {Diagnostic::Severity::Warning, location,
           "this launch comment belongs to no kernel; put it on the line above one that is compiled"});
      continue;
    }
    std::vector<std::string> names;
    for (PassedScalar &passed : passed_scalars(programs[comment.programs.front()]))
      names.push_back(std::move(passed.scalar.name));
    const std::string &kernel_name = programs[comment.programs.front()].kernel;
    bool known = true;
    std::vector<std::string> mentioned;
    for (const auto &[name, value] : comment.wish.scalars)
      mentioned.push_back(name);
    for (const auto &[name, facts] : comment.wish.facts)
      mentioned.push_back(name);
    for (const std::string &name : mentioned)
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        auto words = names;
        words.insert(words.end(), {"block", "grid", "dynamic"});
        complain("'" + name + "' is no parameter of " + kernel_name +
                 did_you_mean_or(name, words, "what can be stated:"));
        known = false;
      }
    if (known)
      found.comments.push_back(std::move(comment));
  }
  return found;
}

} // namespace smem
