#include "lsp/answers.h"

#include "sinks/characters.h"
#include "support/words.h"

#include <algorithm>

namespace smem::lsp {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

int severity_of(const std::string &word) { return word == "error" ? 1 : word == "warning" ? 2 : 3; }

Object diagnostic(protocol::Range range, int severity, std::string message) {
  return Object{{"range", range}, {"severity", severity}, {"source", "smem-lint"}, {"message", std::move(message)}};
}

} // namespace

protocol::Range range_of(const Text &text, const SourceLocation &location, const std::string &expression) {
  const protocol::Position at = text.position_of(location.line, location.column);
  const std::string_view line = text.line(static_cast<unsigned>(at.line));
  const std::size_t begin_of_line = text.offset_of({at.line, 0}), column = text.offset_of(at) - begin_of_line;
  const auto range = [&](std::size_t begin, std::size_t length) {
    return protocol::Range(text.position_of(begin_of_line + begin), text.position_of(begin_of_line + begin + length));
  };
  // A store's place is that of its `=`: of several such expressions it is about the one that ends there, or begins.
  std::size_t best = std::string_view::npos;
  if (!expression.empty())
    for (std::size_t found = line.find(expression); found != std::string_view::npos;
         found = line.find(expression, found + 1))
      if (best == std::string_view::npos || found <= column)
        best = found;
  if (best != std::string_view::npos)
    return range(best, expression.size());
  std::size_t length = 0;
  while (column + length < line.size() && is_word(line[column + length]))
    ++length;
  if (length == 0 && column < line.size())
    length = sinks::first_character(line.substr(column)).bytes.size();
  return range(column, length);
}

Object diagnostic_of(const ViewFinding &finding, const FileTexts &files) {
  std::string message = finding.message;
  for (const std::string &line : finding.lines)
    message += "\n" + line;
  Object object = diagnostic(range_of(files.text(finding.location.file), finding.location, finding.expression),
                             severity_of(finding.severity), std::move(message));
  object["code"] = finding.rule;
  if (!finding.url.empty())
    object["codeDescription"] = Object{{"href", finding.url}};
  Array related;
  for (const Related &one : finding.related)
    related.push_back(Object{{"location", Object{{"uri", files.uri(one.location.file)},
                                                 {"range", range_of(files.text(one.location.file), one.location, {})}}},
                             {"message", one.message}});
  if (!related.empty())
    object["relatedInformation"] = std::move(related);
  if (finding.rule == "unused-nolint")
    object["tags"] = Array{1};
  return object;
}

std::map<std::string, Array> diagnostics_of(const View &view, const std::string &main, const ClientSettings &settings,
                                            const FileTexts &files) {
  std::map<std::string, Array> all;
  all[main]; // nothing is said of it as well
  const Problem *first = nullptr;
  for (const Problem &problem : view.problems) {
    if (problem.severity == "note" && !problem.incomplete)
      continue;
    if (!view.parsed && problem.severity == "error" && !settings.compiler_errors && problem.location.line != 0) {
      first = first ? first : &problem;
      continue;
    }
    const bool placed = problem.location.line != 0 && !problem.location.file.empty();
    const std::string file = problem.location.file.empty() ? main : problem.location.file;
    const protocol::Range range =
        placed ? range_of(files.text(file), problem.location, {}) : protocol::Range(protocol::Position(0, 0));
    all[file].push_back(diagnostic(range, severity_of(problem.severity), problem.message));
  }
  if (first)
    all[main].push_back(diagnostic(first->location.file == main ? range_of(files.text(main), first->location, {})
                                                                : protocol::Range(protocol::Position(0, 0)),
                                   3, "not analysed: the file does not compile"));
  for (const ViewFinding &finding : view.findings) {
    const bool placed = finding.location.line != 0 && !finding.location.file.empty();
    if (placed)
      all[finding.location.file].push_back(diagnostic_of(finding, files));
    else
      all[main].push_back(
          diagnostic(protocol::Range(protocol::Position(0, 0)), severity_of(finding.severity), finding.message));
  }
  return all;
}

Value hover_at(const View &view, const std::string &path, const Text &text, protocol::Position position) {
  std::vector<std::pair<protocol::Range, const ViewAccess *>> on_line, here;
  for (const ViewAccess &access : view.accesses) {
    if (access.location.file != path || static_cast<int>(access.location.line) - 1 != position.line)
      continue;
    const protocol::Range range = range_of(text, access.location, access.expression);
    on_line.emplace_back(range, &access);
    if (range.contains(position))
      here.emplace_back(range, &access);
  }
  // The innermost: of `out[index[i]]` what the cursor is on.
  std::ranges::sort(here, [](const auto &a, const auto &b) { return b.first.start < a.first.start; });
  if (here.empty() && on_line.size() == 1)
    here = on_line;
  if (here.empty())
    return nullptr;
  std::string page;
  for (const auto &[range, access] : here)
    if (range == here.front().first)
      page += (page.empty() ? "" : "\n---\n\n") + access->hover;
  return Object{{"contents", Object{{"kind", "markdown"}, {"value", page}}}, {"range", here.front().first}};
}

Array hints_in(const View &view, const std::string &path, const Text &text, protocol::Range range,
               const ClientSettings &settings) {
  Array hints;
  if (settings.inlay_hints == ClientSettings::Hints::Off)
    return hints;
  for (const ViewAccess &access : view.accesses) {
    if (access.location.file != path || access.label.empty() ||
        (settings.inlay_hints == ClientSettings::Hints::Costly && !access.costly))
      continue;
    const protocol::Range at = range_of(text, access.location, access.expression);
    if (at.end < range.start || range.end < at.end)
      continue;
    hints.push_back(Object{{"position", at.end}, {"label", access.label}, {"paddingLeft", true}});
  }
  return hints;
}

Array lenses_of(const View &view, const std::string &path, const Text &text) {
  Array lenses;
  for (const ViewKernel &kernel : view.kernels)
    if (kernel.location.file == path)
      lenses.push_back(Object{{"range", range_of(text, kernel.location, kernel.name)},
                              {"command", Object{{"title", kernel.title}, {"command", ""}}}});
  return lenses;
}

} // namespace smem::lsp
