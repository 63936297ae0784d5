#include "frontend/required_macros.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include <clang/Basic/DiagnosticLex.h>

#include "support/paths.h"

namespace smem {
namespace {

struct Directive {
  std::string text; ///< without its `#`
  unsigned line = 0;

  bool is(std::string_view word) const {
    return text.starts_with(word) &&
           (text.size() == word.size() || !std::isalnum(static_cast<unsigned char>(text[word.size()])));
  }
  bool opens() const { return is("if") || is("ifdef") || is("ifndef"); }
};

/// Those that end before `end`, with what is continued.
std::vector<Directive> directives_before(std::string_view text, std::size_t end) {
  constexpr std::string_view kBlank = " \t";
  std::vector<Directive> directives;
  bool goes_on = false;
  unsigned line = 1;
  for (std::size_t begin = 0; begin < end; ++line) {
    const std::size_t newline = text.find('\n', begin);
    if (newline >= end)
      break;
    std::string_view now = text.substr(begin, newline - begin);
    begin = newline + 1;
    now.remove_suffix(now.ends_with('\r') ? 1 : 0);
    const bool continued = now.ends_with('\\');
    now.remove_suffix(continued ? 1 : 0);
    const std::size_t hash = now.find_first_not_of(kBlank);
    if (goes_on)
      directives.back().text += now;
    else if (hash != std::string_view::npos && now[hash] == '#')
      directives.push_back(
          {std::string(now.substr(std::min(now.find_first_not_of(kBlank, hash + 1), now.size()))), line});
    goes_on = continued && (goes_on || (hash != std::string_view::npos && now[hash] == '#'));
  }
  return directives;
}

/// The conditions none of which holds where the `#else` is reached that is the last of these directives, from the last one on. Empty: that is none.
std::vector<Directive> conditions_of_else(const std::vector<Directive> &directives) {
  std::vector<Directive> conditions;
  if (directives.empty() || !directives.back().is("else"))
    return conditions;
  int depth = 0;
  for (auto one = directives.rbegin() + 1; one != directives.rend(); ++one) {
    depth += one->is("endif");
    if (depth == 0 && (one->opens() || one->is("elif")))
      conditions.push_back(*one);
    if (one->opens() && depth-- == 0)
      return conditions;
  }
  return {};
}

std::optional<SkippedDeclarations> required_macro(const SourceError &error) {
  const std::vector<Directive> conditions = conditions_of_else(directives_before(*error.contents, error.offset));
  if (conditions.empty())
    return std::nullopt;
  SkippedDeclarations first;
  for (const Directive &condition : conditions) {
    const std::optional<MacroDefinition> definition = definition_for(condition.text);
    if (!definition || definition->name.starts_with('_')) // the compiler's own word on what it is
      return std::nullopt;
    first.definition = *definition;
  }
  first.condition = {normalise_path(error.path), conditions.back().line, 1};
  first.refusal = error.message;
  first.choices = conditions.size();
  return first;
}

} // namespace

std::vector<SkippedDeclarations> find_required_macros(const std::vector<SourceError> &errors) {
  std::vector<SkippedDeclarations> found;
  for (const SourceError &error : errors)
    if (error.id == clang::diag::err_pp_hash_error)
      if (std::optional<SkippedDeclarations> one = required_macro(error);
          one && std::ranges::find(found, one->definition, &SkippedDeclarations::definition) == found.end())
        found.push_back(std::move(*one));
  return found;
}

} // namespace smem
