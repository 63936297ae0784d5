#include "frontend/source_patches.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <tuple>

#include <clang/Basic/DiagnosticAST.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>

#include "frontend/default_arguments.h"
#include "frontend/device_constructs.h"
#include "frontend/late_operators.h"
#include "frontend/missing_keywords.h"
#include "support/paths.h"

namespace smem {
namespace {

using Edit = SourceEdit;

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// At commas that are in no brackets, those of a template's arguments among them.
std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  int brackets = 0, angles = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    brackets += (c == '[' || c == '(' || c == '{') - (c == ']' || c == ')' || c == '}');
    if (brackets == 0)
      angles += (c == '<') - (c == '>');
    if (c == ',' && brackets == 0 && angles == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// Is `text` empty or `[8][2 * (N + 1)]`, and so without an initialiser?
bool is_only_extents(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    depth += (c == '[') - (c == ']');
    if (depth == 0 ? c != ']' && !std::isspace(static_cast<unsigned char>(c)) : c == '{')
      return false;
  }
  return true;
}

/// `__shared__ T one, several[4];` with a T that has a constructor: Clang refuses to leave it uninitialised, as nvcc does with a warning. A
/// reference to storage of the same size and alignment is the same to the rest of the kernel. `name` is that of the first one.
std::optional<Edit> shared_storage(std::string_view text, std::size_t name) {
  constexpr std::string_view kShared = "__shared__";
  const std::size_t statement = text.substr(0, name).find_last_of(";{}");
  const std::size_t begin = text.substr(0, name).rfind(kShared);
  const std::size_t end = text.find(';', name);
  if (begin == std::string_view::npos || end == std::string_view::npos ||
      (statement != std::string_view::npos && statement > begin))
    return std::nullopt;
  const std::string_view type = text.substr(begin + kShared.size(), name - begin - kShared.size());
  if (split_at_commas(type).size() > 1) // of a later one
    return std::nullopt;
  std::string replaced;
  for (std::string_view declarator : split_at_commas(text.substr(name, end - name))) {
    declarator.remove_prefix(std::min(declarator.find_first_not_of(" \t\r\n"), declarator.size()));
    const std::size_t name_end =
        static_cast<std::size_t>(std::ranges::find_if_not(declarator, is_name) - declarator.begin());
    const std::string variable(declarator.substr(0, name_end)), extents(declarator.substr(name_end));
    if (variable.empty() || !is_only_extents(extents))
      return std::nullopt;
    const std::string alias = variable + "_type", storage = variable + "_storage";
    replaced += (replaced.empty() ? "typedef " : "; typedef ") + std::string(type) + alias + extents +
                "; __shared__ __attribute__((aligned(alignof(" + alias + ")))) unsigned char " + storage + "[sizeof(" +
                alias + ")]; " + alias + " &" + variable + " = reinterpret_cast<" + alias + " &>(" + storage + ")";
  }
  return Edit{begin, end, std::move(replaced)};
}

/// `extern "C"__global__ void k()`: the keyword is a macro of nvcc's, which ends the string for GCC's preprocessor.
std::optional<Edit> keyword_behind_string(std::string_view text, std::size_t place) {
  const bool at_suffix = place > 0 && place < text.size() && text[place - 1] == '"' && is_name(text[place]);
  return at_suffix ? std::optional(Edit{place, place, " "}) : std::nullopt;
}

/// Behind the literal of the quote at `open` and those that follow it and are one string with it; npos: it does not end.
std::size_t behind_strings(std::string_view text, std::size_t open) {
  std::size_t end = open;
  for (std::size_t next = open; next < text.size() && text[next] == '"';
       next = std::min(text.find_first_not_of(" \t\r\n", end), text.size())) {
    for (end = next + 1; end < text.size() && text[end] != '"' && text[end] != '\n'; ++end)
      end += text[end] == '\\';
    if (end >= text.size() || text[end] != '"')
      return std::string_view::npos;
    ++end;
  }
  return end;
}

/// `"mov.u32 %0, %laneid;"`: for Clang, a register's % in a string with operands is written twice. It tells of the first one.
std::optional<Edit> doubled_percents(std::string_view text, std::size_t place) {
  const std::size_t open = text.substr(0, place).rfind('"');
  if (open == std::string_view::npos)
    return std::nullopt;
  const bool raw = open != 0 && text[open - 1] == 'R';
  std::size_t end = raw ? std::string_view::npos : behind_strings(text, open);
  if (end == std::string_view::npos)
    end = text.find('"', place);
  if (end == std::string_view::npos)
    return std::nullopt;
  std::string string;
  bool changed = false;
  for (std::size_t i = open; i < end; ++i) {
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
  return changed ? std::optional(Edit{open, end, std::move(string)}) : std::nullopt;
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

/// `const __restrict__ uint8_t a[8]`: of a named type that is no pointer, which nvcc ignores.
std::optional<Edit> restrict_of_no_pointer(std::string_view text, std::size_t place) {
  std::size_t end = place;
  while (end < text.size() && is_name(text[end]))
    ++end;
  const std::string_view word = text.substr(place, end - place);
  return word == "__restrict__" || word == "__restrict" ? std::optional(Edit{place, end, std::string(word.size(), ' ')})
                                                        : std::nullopt;
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

/// `#define UNROLL #pragma unroll`: the directive of a macro's text as the operator that a macro can have.
std::optional<Edit> pragma_operator(std::string_view text, std::size_t place) {
  constexpr std::string_view kPragma = "pragma";
  if (place >= text.size() || text[place] != '#')
    return std::nullopt;
  const std::size_t word = text.find_first_not_of(" \t", place + 1);
  if (word == std::string_view::npos || !text.substr(word).starts_with(kPragma))
    return std::nullopt;
  const std::size_t line = std::min(text.find('\n', word), text.size());
  const std::size_t begin = text.find_first_not_of(" \t", word + kPragma.size());
  if (begin == std::string_view::npos || begin >= line)
    return std::nullopt;
  std::size_t end = text.find_last_not_of(" \t\r\\", line - 1) + 1;
  if (const std::size_t comment = text.substr(begin, end - begin).find("//"); comment != std::string_view::npos)
    end = begin + comment;
  std::string words;
  for (const char c : text.substr(begin, end - begin))
    words += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return Edit{place, end, "_Pragma(\"" + words + "\")"};
}

/// `UNROLL 4` on a line of its own, with a macro whose text is such an operator: the argument is the directive's.
std::optional<Edit> pragma_with_argument(std::string_view text, std::size_t place) {
  constexpr std::string_view kOperator = "_Pragma(\"";
  if (place == 0 || place > text.size())
    return std::nullopt;
  const std::size_t begin =
      text.find_first_not_of(" \t", text.rfind('\n', place - 1) + 1); // the error is at the line's end
  std::size_t end = begin;
  while (end < text.size() && is_name(text[end]))
    ++end;
  const std::string define = "define " + std::string(text.substr(begin, end - begin)) + " ";
  const std::size_t macro = begin == end ? std::string_view::npos : text.find(define);
  if (macro == std::string_view::npos || !text.substr(macro + define.size()).starts_with(kOperator))
    return std::nullopt;
  const std::size_t words = macro + define.size() + kOperator.size(), quote = text.find('"', words);
  std::size_t line = std::min(text.find('\n', end), text.size());
  for (const std::string_view comment : {"//", "/*"})
    line = std::min(line, text.substr(0, line).find(comment, end));
  const std::size_t last = text.find_last_not_of(" \t\r", line - 1);
  if (quote == std::string_view::npos || last == std::string_view::npos || last < end ||
      text.substr(end, last - end).find_first_of("\"\\") != std::string_view::npos)
    return std::nullopt;
  return Edit{begin, last + 1,
              std::string(kOperator) + std::string(text.substr(words, quote - words)) +
                  std::string(text.substr(end, last + 1 - end)) + "\")"};
}

/// `extern __shared__ float s[32];`: the word `extern`. Without a size it is the launch's memory; with one, nvcc takes it for a definition.
std::optional<Edit> extern_of_shared(std::string_view text, std::size_t shared) {
  constexpr std::string_view kExtern = "extern", kBlank = "      ", kSpace = " \t\r\n";
  std::size_t end = shared; // of what is still to be looked at, which are specifiers
  while (end != 0) {
    const std::size_t last = text.substr(0, end).find_last_not_of(kSpace);
    if (last == std::string_view::npos)
      break;
    std::size_t begin = last;
    if (text[last] == ')') { // of `__align__(16)`
      begin = text.substr(0, last).rfind('(');
      if (begin == std::string_view::npos)
        break;
    } else if (is_name(text[last])) {
      while (begin != 0 && is_name(text[begin - 1]))
        --begin;
      if (text.substr(begin, last + 1 - begin) == kExtern)
        return Edit{begin, begin + kExtern.size(), std::string(kBlank)};
    } else {
      break;
    }
    end = begin;
  }
  std::size_t next = shared;
  while (next < text.size() && is_name(text[next]))
    ++next;
  next = text.find_first_not_of(kSpace, next);
  return next != std::string_view::npos && text.substr(next).starts_with("extern ")
             ? std::optional(Edit{next, next + kExtern.size(), std::string(kBlank)})
             : std::nullopt;
}

/// Line and column, from 1.
SourceLocation place_in(const std::string &path, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line = before.rfind('\n');
  return {normalise_path(path), static_cast<unsigned>(1 + std::ranges::count(before, '\n')),
          static_cast<unsigned>(line == std::string_view::npos ? offset + 1 : offset - line)};
}

/// Behind a bracket's partner; npos: there is none.
std::size_t behind_bracket(std::string_view text, std::size_t open) {
  const char opening = text[open], closing = opening == '{' ? '}' : opening == '(' ? ')' : opening == '[' ? ']' : '>';
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += (text[i] == opening) - (text[i] == closing);
    if (depth == 0)
      return i + 1;
  }
  return std::string_view::npos;
}

/// `int histogram[length] = {0};`: GCC initialises arrays of variable length. Without it their elements are not known, which is enough.
std::optional<Edit> array_initialiser(std::string_view text, std::size_t place) {
  // Clang points at the length, or at the name.
  const std::size_t before = text.substr(0, place).find_last_of("[];{}");
  std::size_t at = before != std::string_view::npos && text[before] == '[' ? before : place;
  while (at < text.size() && is_name(text[at]))
    ++at;
  for (at = text.find_first_not_of(" \t\r\n", at);
       at != std::string_view::npos && at < text.size() && text[at] == '[';) {
    at = behind_bracket(text, at);
    at = at == std::string_view::npos ? at : text.find_first_not_of(" \t\r\n", at);
  }
  if (at == std::string_view::npos || (text[at] != '=' && text[at] != '{'))
    return std::nullopt;
  const std::size_t brace = text[at] == '{' ? at : text.find_first_not_of(" \t\r\n", at + 1);
  if (brace == std::string_view::npos || text[brace] != '{')
    return std::nullopt;
  const std::size_t end = behind_bracket(text, brace);
  if (end == std::string_view::npos)
    return std::nullopt;
  std::string blank;
  for (const char c : text.substr(at, end - at))
    blank += c == '\n' ? '\n' : ' ';
  return Edit{at, end, std::move(blank)};
}

/// `pair = {a, b}` with a type that several operators of assignment fit: it is the type's own constructor that nvcc takes.
std::optional<Edit> braces_with_type(std::string_view text, std::size_t equals, std::string_view message) {
  constexpr std::string_view kBefore = "operand types '";
  const std::size_t quote = message.find(kBefore);
  if (quote == std::string_view::npos || equals >= text.size() || text[equals] != '=')
    return std::nullopt;
  const std::size_t brace = text.find_first_not_of(" \t\r\n", equals + 1);
  if (brace == std::string_view::npos || text[brace] != '{')
    return std::nullopt;
  const std::string_view type = message.substr(quote + kBefore.size());
  return Edit{brace, brace, std::string(type.substr(0, type.find('\'')))};
}

/// `template <class T> void f<T>(T *) {}`: the name of a primary template with its own arguments.
std::optional<Edit> arguments_of_primary(std::string_view text, std::size_t name) {
  std::size_t open = name;
  while (open < text.size() && is_name(text[open]))
    ++open;
  open = text.find_first_not_of(" \t\r\n", open);
  if (open == std::string_view::npos || text[open] != '<')
    return std::nullopt;
  const std::size_t end = behind_bracket(text, open);
  return end == std::string_view::npos ? std::nullopt : std::optional(Edit{open, end, {}});
}

/// `typedef unsigned long long uint64_t;` where a header that nvcc does not include has it otherwise, and with the same size.
std::optional<Edit> own_integer(std::string_view text, std::size_t name) {
  constexpr std::string_view kTypedef = "typedef";
  std::size_t end = name;
  while (end < text.size() && is_name(text[end]))
    ++end;
  const std::size_t before = text.substr(0, name).find_last_of(";{}\n#");
  const std::size_t begin = text.find_first_not_of(" \t\r", before == std::string_view::npos ? 0 : before + 1);
  const std::size_t semicolon = text.find_first_not_of(" \t", end);
  if (semicolon == std::string_view::npos || text[semicolon] != ';' || !text.substr(begin).starts_with(kTypedef))
    return std::nullopt;
  for (std::size_t at = begin + kTypedef.size(); (at = text.find_first_not_of(" \t", at)) < name;) {
    const std::size_t word = std::min(text.find_first_of(" \t", at), name);
    const std::string_view one = text.substr(at, word - at);
    if (one != "unsigned" && one != "signed" && one != "long" && one != "short" && one != "int" && one != "char")
      return std::nullopt;
    at = word;
  }
  return Edit{begin, semicolon, {}};
}

/// The name that an error of redeclaration is about, if it can be renamed.
std::string clashing_name(const SourceError &error) {
  switch (error.id) {
  case clang::diag::err_redefinition:
  case clang::diag::err_redefinition_different_kind:
  case clang::diag::err_redefinition_different_typedef: break;
  default: return {};
  }
  const std::string &text = *error.contents;
  std::size_t end = error.offset;
  while (end < text.size() && is_name(text[end]))
    ++end;
  const std::string name = text.substr(error.offset, end - error.offset);
  return error.clashes_with_header && !error.in_macro && name != "operator" ? name : std::string();
}

std::vector<Edit> operators_before_template(const SourceError &error) {
  constexpr std::string_view kOperator = "operator",
                             kAssignment = "no viable overloaded '"; // of which Clang says no more
  constexpr std::size_t kMostNames = 16;
  const std::string &text = *error.contents;
  std::vector<std::size_t> names;
  if (error.too_late && error.message.find("'operator") != std::string::npos) {
    names.push_back(*error.too_late);
  } else if (error.message.starts_with(kAssignment)) {
    const std::string sign =
        error.message.substr(kAssignment.size(), error.message.find('\'', kAssignment.size()) - kAssignment.size());
    for (std::size_t at = error.offset;
         names.size() < kMostNames && (at = text.find(std::string(kOperator) + sign, at)) != std::string::npos; ++at)
      names.push_back(at);
  }
  std::vector<Edit> edits;
  if (!names.empty())
    for (EarlierDeclaration &declaration : declare_earlier(text, error.offset, names))
      edits.push_back({declaration.place, declaration.place, std::move(declaration.text)});
  return edits;
}

/// The name that a message has last in quotes, without what it is qualified with.
std::string_view name_in(std::string_view message) {
  const std::size_t close = message.rfind('\'');
  std::size_t begin = close;
  while (begin != std::string_view::npos && begin != 0 && is_name(message[begin - 1]))
    --begin;
  return begin == std::string_view::npos ? std::string_view() : message.substr(begin, close - begin);
}

/// Words that are missing before a name, also in what a macro is made of.
std::optional<Edit> words_before_name(const SourceError &error) {
  const std::string_view text = *error.contents;
  std::optional<std::size_t> place;
  switch (error.id) {
  case clang::diag::err_template_kw_missing:
    place = place_of_template_keyword(text, error.offset, name_in(error.message));
    break;
  case clang::diag::err_missing_dependent_template_keyword:
  case clang::diag::err_bound_member_function:
  case clang::diag::err_ovl_unresolvable: place = place_of_template_keyword(text, error.offset); break;
  case clang::diag::err_param_default_argument_references_param:
    if (std::string scope = scope_of_default_argument(text, error.offset); !scope.empty())
      return Edit{error.offset, error.offset, std::move(scope)};
    return std::nullopt;
  default: break;
  }
  return place ? std::optional(Edit{*place, *place, "template "}) : std::nullopt;
}

std::vector<Edit> edits_for(const SourceError &error) {
  const std::string_view text = *error.contents;
  std::optional<Edit> edit = words_before_name(error);
  if (!edit && error.in_macro)
    edit = pragma_operator(text, error.offset);
  if (edit || error.in_macro)
    return edit ? std::vector<Edit>{std::move(*edit)} : std::vector<Edit>();
  switch (error.id) {
  case clang::diag::err_variable_object_no_init: edit = array_initialiser(text, error.offset); break;
  case clang::diag::err_ovl_ambiguous_oper_binary: edit = braces_with_type(text, error.offset, error.message); break;
  case clang::diag::err_function_template_partial_spec: edit = arguments_of_primary(text, error.offset); break;
  case clang::diag::err_redefinition_different_typedef:
    if (error.clashes_with_header)
      edit = own_integer(text, error.offset);
    break;
  // nvcc finds members of a base that depends on arguments by their bare names.
  case clang::diag::err_found_in_dependent_base: edit = Edit{error.offset, error.offset, "this->"}; break;
  case clang::diag::err_shared_var_init: edit = shared_storage(text, error.offset); break;
  case clang::diag::err_invalid_string_udl: edit = keyword_behind_string(text, error.offset); break;
  case clang::diag::err_asm_invalid_escape: edit = doubled_percents(text, error.offset); break;
  case clang::diag::err_cuda_extern_shared: edit = extern_of_shared(text, error.offset); break;
  case clang::diag::err_typecheck_invalid_restrict_not_pointer:
    edit = restrict_of_no_pointer(text, error.offset);
    break;
  case clang::diag::err_expected: edit = operand_comma(text, error.offset); break;
  case clang::diag::err_ref_bad_target: return launch_of_device_code(text, error.offset);
  case clang::diag::err_cuda_vla: return extents_of_members(text, error.offset);
  case clang::diag::err_expected_semi_after_expr: edit = pragma_with_argument(text, error.offset); break;
  case clang::diag::err_not_found_by_two_phase_lookup:
  case clang::diag::err_ovl_no_viable_oper: return operators_before_template(error);
  default: break;
  }
  return edit ? std::vector<Edit>{std::move(*edit)} : std::vector<Edit>();
}

} // namespace

SourceLocation place_of(const SourceError &error) { return place_in(error.path, *error.contents, error.offset); }

bool patch_sources(const std::vector<SourceError> &errors, PatchedSources &sources) {
  std::map<std::string, std::pair<const SourceError *, std::vector<Edit>>> by_file;
  bool renamed = false;
  std::set<std::string> with_brackets;
  for (const SourceError &error : errors) {
    std::vector<Edit> found = edits_for(error);
    if (found.empty() && error.id == clang::diag::err_expected_expression) {
      if (!with_brackets.insert(error.path).second)
        continue; // the first one has seen to the whole file
      found = launch_brackets(*error.contents);
    }
    if (const std::string name = found.empty() ? clashing_name(error) : std::string(); !name.empty())
      renamed |= sources.own_names.insert(name).second;
    if (error.id == clang::diag::err_cuda_extern_shared && !found.empty()) {
      const std::size_t quote = error.message.find('\'');
      const std::string name = quote == std::string::npos
                                   ? std::string("this array")
                                   : error.message.substr(quote, error.message.find('\'', quote + 1) + 1 - quote);
      const SourceLocation place = place_in(error.path, *error.contents, found.front().begin);
      if (std::ranges::none_of(sources.notes, [&](const Diagnostic &one) { return one.location == place; }))
        sources.notes.push_back({Diagnostic::Severity::Note, place,
                                 name + " has a size, so that nvcc takes 'extern' for a static definition (#20044-D): "
                                        "it is not the dynamic shared memory of the launch"});
    }
    for (Edit &edit : found) {
      auto &[any, edits] = by_file[error.path];
      any = &error;
      edits.push_back(std::move(edit));
    }
  }
  for (auto &[path, entry] : by_file) {
    auto &[error, edits] = entry;
    // From the end, so that offsets stay; templates report one place several times.
    std::ranges::sort(
        edits, [](const Edit &a, const Edit &b) { return std::tie(a.begin, a.text) > std::tie(b.begin, b.text); });
    std::string text = *error->contents;
    std::size_t last = text.size() + 1;
    const Edit *before = nullptr;
    for (const Edit &edit : edits) {
      const bool beside = before && edit.begin == before->begin && edit.end == edit.begin &&
                          before->end == before->begin && edit.text != before->text;
      before = &edit;
      if (edit.end >= last && !beside)
        continue;
      text.replace(edit.begin, edit.end - edit.begin, edit.text);
      last = edit.begin;
    }
    sources.files[path] = std::move(text);
  }
  return renamed || !by_file.empty();
}

} // namespace smem
