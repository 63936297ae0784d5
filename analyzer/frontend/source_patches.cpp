#include "frontend/source_patches.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include <clang/Basic/DiagnosticAST.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>

namespace smem {
namespace {

struct Edit {
  std::size_t begin = 0, end = 0; ///< what is replaced
  std::string text;
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// `__shared__ T name;` with a T that has a constructor: Clang refuses to leave it uninitialised, as nvcc does with a warning. A
/// reference to storage of the same size and alignment is the same to the rest of the kernel.
std::optional<Edit> shared_storage(std::string_view text, std::size_t name) {
  constexpr std::string_view kShared = "__shared__";
  std::size_t name_end = name;
  while (name_end < text.size() && is_name(text[name_end]))
    ++name_end;
  const std::size_t statement = text.substr(0, name).find_last_of(";{}");
  const std::size_t begin = text.substr(0, name).rfind(kShared);
  const std::size_t end = text.find(';', name_end);
  if (name_end == name || begin == std::string_view::npos || end == std::string_view::npos ||
      (statement != std::string_view::npos && statement > begin))
    return std::nullopt;
  const std::string type(text.substr(begin + kShared.size(), name - begin - kShared.size()));
  const std::string extents(text.substr(name_end, end - name_end));
  if (extents.find_first_of(",=({") != std::string::npos)
    return std::nullopt;
  const std::string variable(text.substr(name, name_end - name)), alias = variable + "_type", storage = variable + "_storage";
  return Edit{begin, end,
              "typedef " + type + alias + extents + "; __shared__ __attribute__((aligned(alignof(" + alias + ")))) unsigned char " + storage +
                  "[sizeof(" + alias + ")]; " + alias + " &" + variable + " = reinterpret_cast<" + alias + " &>(" + storage + ")"};
}

/// `"mov.u32 %0, %laneid;"`: for Clang, a register's % in a string with operands is written twice.
std::optional<Edit> doubled_percents(std::string_view text, std::size_t place) {
  const std::size_t open = text.substr(0, place).rfind('"');
  const std::size_t close = text.find('"', place);
  if (open == std::string_view::npos || close == std::string_view::npos)
    return std::nullopt;
  std::string string;
  bool changed = false;
  for (std::size_t i = open; i < close; ++i) {
    string += text[i];
    if (text[i] != '%')
      continue;
    if (text[i + 1] == '%') {
      string += text[++i];
    } else if (std::isalpha(static_cast<unsigned char>(text[i + 1])) || text[i + 1] == '_') {
      string += '%';
      changed = true;
    }
  }
  return changed ? std::optional(Edit{open, close, std::move(string)}) : std::nullopt;
}

/// `asm("..." : : "r"(a) "l"(b))`: a comma is missing between operands.
std::optional<Edit> operand_comma(std::string_view text, std::size_t place) {
  if (place >= text.size() || text[place] != '"')
    return std::nullopt;
  const std::size_t before = text.substr(0, place).find_last_not_of(" \t\r\n");
  if (before == std::string_view::npos || text[before] != ')')
    return std::nullopt;
  return Edit{before + 1, before + 1, ","};
}

/// `k<< <grid, block>> >(...)`; the whole file at once, as all of it is written in one style.
std::vector<Edit> launch_brackets(std::string_view text) {
  std::vector<Edit> edits;
  for (const std::string_view bracket : {"<", ">"}) {
    const std::string two = std::string(bracket) + std::string(bracket);
    for (std::size_t at = text.find(two); at != std::string_view::npos; at = text.find(two, at + 2)) {
      const std::size_t next = text.find_first_not_of(" \t", at + 2);
      if (next != std::string_view::npos && next > at + 2 && text[next] == bracket[0])
        edits.push_back({at, next + 1, two + std::string(bracket) + std::string(next - at - 2, ' ')});
    }
  }
  return edits;
}

std::vector<Edit> edits_for(const SourceError &error) {
  std::optional<Edit> edit;
  switch (error.id) {
  case clang::diag::err_shared_var_init:
    edit = shared_storage(error.contents, error.offset);
    break;
  case clang::diag::err_asm_invalid_escape:
    edit = doubled_percents(error.contents, error.offset);
    break;
  case clang::diag::err_expected:
    edit = operand_comma(error.contents, error.offset);
    break;
  case clang::diag::err_expected_expression:
    return launch_brackets(error.contents);
  default:
    break;
  }
  return edit ? std::vector<Edit>{std::move(*edit)} : std::vector<Edit>();
}

} // namespace

bool patch_sources(const std::vector<SourceError> &errors, PatchedSources &sources) {
  std::map<std::string, std::pair<const SourceError *, std::vector<Edit>>> by_file;
  for (const SourceError &error : errors)
    for (Edit &edit : edits_for(error)) {
      auto &[any, edits] = by_file[error.path];
      any = &error;
      edits.push_back(std::move(edit));
    }
  for (auto &[path, entry] : by_file) {
    auto &[error, edits] = entry;
    // From the end, so that offsets stay; templates report one place several times.
    std::sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) { return a.begin > b.begin; });
    std::string text = error->contents;
    std::size_t last = text.size() + 1;
    for (const Edit &edit : edits) {
      if (edit.end >= last)
        continue;
      text.replace(edit.begin, edit.end - edit.begin, edit.text);
      last = edit.begin;
    }
    sources[path] = std::move(text);
  }
  return !by_file.empty();
}

} // namespace smem
