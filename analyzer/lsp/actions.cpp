#include "lsp/actions.h"

#include <algorithm>
#include <set>

#include <llvm/ADT/StringRef.h>

namespace smem::lsp {
namespace {

using llvm::json::Array;
using llvm::json::Object;

constexpr const char *kQuickFix = "quickfix", *kRefactor = "refactor";
/// Written into the user's source, for them to finish: who suppresses a finding says why, and a search for it finds what is left to say.
constexpr const char *kReason = "TODO: say why this is accepted";

bool on_lines(const SourceLocation &location, const std::string &path, protocol::Range range) {
  const int line = static_cast<int>(location.line) - 1;
  return location.file == path && range.start.line <= line && line <= range.end.line;
}

/// "quickfix" wants "quickfix.padding", too.
bool wanted(const std::vector<std::string> &only, llvm::StringRef kind) {
  return only.empty() || std::ranges::any_of(only, [&](const std::string &one) {
           return one.empty() || kind == one || kind.starts_with(one + ".");
         });
}

Object text_edit(protocol::Range range, std::string text) {
  return Object{{"range", range}, {"newText", std::move(text)}};
}

Object action(std::string title, const char *kind, Object changes, bool preferred = false) {
  Object object{{"title", std::move(title)}, {"kind", kind}, {"edit", Object{{"changes", std::move(changes)}}}};
  if (preferred)
    object["isPreferred"] = true;
  return object;
}

std::string indent_of(std::string_view line) { return std::string(line.substr(0, line.find_first_not_of(" \t"))); }

/// How lines of the text end.
std::string line_end(const Text &text) { return text.contents().find("\r\n") != std::string::npos ? "\r\n" : "\n"; }

/// The first of the comments that stand alone right before line `line` (from 0), or the line itself.
unsigned above_comments(const Text &text, unsigned line) {
  while (line > 0 && llvm::StringRef(text.line(line - 1)).ltrim().starts_with("//"))
    --line;
  return line;
}

/// A line before line `line` (from 0), as it is indented; none within a macro that spans lines.
std::optional<Object> line_before(const Text &text, unsigned line, const std::string &words) {
  if (line > 0 && text.line(line - 1).ends_with('\\'))
    return std::nullopt;
  return text_edit(protocol::Range(protocol::Position(static_cast<int>(line), 0)),
                   indent_of(text.line(line)) + words + line_end(text));
}

Object fix_changes(const ViewFix &fix, const FileTexts &files) {
  std::map<std::string, Array> by_file;
  for (const ViewEdit &edit : fix.edits) {
    const Text &text = files.text(edit.file);
    by_file[files.uri(edit.file)].push_back(
        text_edit({text.position_of(edit.offset), text.position_of(edit.offset + edit.length)}, edit.text));
  }
  Object changes;
  for (auto &[uri, edits] : by_file)
    changes[uri] = std::move(edits);
  return changes;
}

} // namespace

bool may_have_fixes(const View &view, const std::string &path, protocol::Range range) {
  return std::ranges::any_of(view.findings, [&](const ViewFinding &finding) {
    return finding.rule == "smem-bank-conflict" && finding.fixes.empty() && on_lines(finding.location, path, range);
  });
}

Array actions_for(const View &view, const std::string &path, protocol::Range range,
                  const std::vector<std::string> &only, const FileTexts &files) {
  Array actions;
  const Text &text = files.text(path);
  const auto insert = [&](std::string title, const char *kind, std::optional<Object> edit) {
    if (edit)
      actions.push_back(action(std::move(title), kind, Object{{files.uri(path), Array{std::move(*edit)}}}));
    return edit.has_value();
  };
  const auto about = [&](const ViewFinding &finding) {
    (*actions.back().getAsObject())["diagnostics"] = Array{diagnostic_of(finding, files)};
  };
  std::set<std::string> offered;
  if (wanted(only, kQuickFix))
    for (const ViewFinding &finding : view.findings)
      if (on_lines(finding.location, path, range))
        for (const ViewFix &fix : finding.fixes)
          if (offered.insert(fix.title).second) {
            actions.push_back(action(fix.title, kQuickFix, fix_changes(fix, files), /*preferred=*/true));
            about(finding);
          }
  if (wanted(only, kRefactor)) {
    for (const ViewKernel &kernel : view.kernels)
      if (!kernel.stated && on_lines(kernel.location, path, range) && kernel.above != 0)
        insert("state the launch of " + kernel.name + " in a comment", kRefactor,
               line_before(text, kernel.above - 1, "// smem-lint: launch " + kernel.launch));
    std::set<unsigned> lines;
    for (const ViewAccess &access : view.accesses)
      if (on_lines(access.location, path, range) && !access.expect.empty() &&
          lines.insert(access.location.line).second &&
          text.line(access.location.line - 1).find("smem-lint:") == std::string_view::npos)
        insert(
            "expect " + access.expect + " here", kRefactor,
            line_before(text, above_comments(text, access.location.line - 1), "// smem-lint: expect " + access.expect));
  }
  if (wanted(only, kQuickFix)) {
    std::set<std::pair<unsigned, std::string>> suppressed;
    for (const ViewFinding &finding : view.findings)
      if (on_lines(finding.location, path, range) && suppressed.emplace(finding.location.line, finding.rule).second &&
          insert("suppress " + finding.rule + " here", kQuickFix,
                 line_before(text, finding.location.line - 1, "// NOLINTNEXTLINE(" + finding.rule + "): " + kReason)))
        about(finding);
  }
  return actions;
}

} // namespace smem::lsp
