#include "driver/completion.h"

#include "driver/options.h"
#include "driver/version.h"
#include "report/rules.h"
#include "report/uncertainty_text.h"

#include <llvm/ADT/StringExtras.h>

#include <vector>

namespace smem {
namespace {

/// What the value of an option may be.
struct Values {
  enum class Kind { None, Free, Words, List, File, Folder };
  Kind kind = Kind::None;         ///< None: it takes no value; List: of words with commas
  std::vector<std::string> words; ///< of Words and List
};

std::vector<std::string> architecture_names() {
  std::vector<std::string> names;
  for (const Architecture &architecture : architectures())
    names.emplace_back(architecture.name);
  return names;
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const Gpu &gpu : gpus())
    names.push_back(gpu.name);
  return names;
}

Values values_of(const OptionText &option) {
  using Kind = Values::Kind;
  const std::string &name = option.spelling;
  if (option.argument.empty())
    return {};
  if (name == "--format")
    return {Kind::Words, format_names()};
  if (name == "--fail-on")
    return {Kind::Words, {"note", "warning", "error", "regression", "never"}};
  if (name == "--color")
    return {Kind::Words, {"auto", "always", "never"}};
  if (name == "--arch")
    return {Kind::Words, architecture_names()};
  if (name == "--gpu")
    return {Kind::Words, gpu_names()};
  if (name == "--explain") {
    std::vector<std::string> words = rule_ids();
    words.insert(words.begin(), {"all", kExplainUncertainties});
    std::ranges::move(uncertainty_ids(), std::back_inserter(words));
    return {Kind::Words, std::move(words)};
  }
  if (name == "--checks" || name == "--warnings-as-errors")
    return {Kind::List, rule_ids()};
  for (const char *file : {"--baseline", "--config-file", "--export-fixes", "--launches", "--output", "--as-compiled"})
    if (name == file)
      return {Kind::File, {}};
  for (const char *folder : {"--cache-dir", "--cuda-path", "--triton", "-p"})
    if (name == folder)
      return {Kind::Folder, {}};
  return {Kind::Free, {}};
}

bool may_stand_alone(const OptionText &option) {
  return option.spelling == "--as-compiled" || option.spelling == "--triton";
}

/// The description up to its details: a line of a menu.
std::string summary(const OptionText &option) {
  constexpr std::size_t kLongest = 90;
  std::string text = option.description;
  for (const char *details : {"; ", ": ", " (default", ", e.g. "})
    text = text.substr(0, text.find(details));
  if (text.size() > kLongest)
    text = text.substr(0, text.rfind(' ', kLongest)) + " ...";
  return text;
}

std::string replaced(std::string_view text, std::string_view characters, std::string_view before) {
  std::string out;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos)
      out += before;
    out += c;
  }
  return out;
}

/// In single quotes, which end for one of the text.
std::string zsh_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string fish_quoted(std::string_view text) { return "'" + replaced(text, "\\'", "\\") + "'"; }

constexpr const char *kSubcommands[][2] = {{"diff", "the work tree against a git revision"},
                                           {"init", "write a .smem-lint.yaml out of what is known of launches"},
                                           {"lsp", "answer an editor: a language server on standard input and output"},
                                           {"merge", "the parts that --shard wrote, as one run"}};

} // namespace

std::string bash_completion() {
  std::string words, cases, files, folders;
  for (const OptionText &option : option_texts()) {
    const Values values = values_of(option);
    const std::string names = option.spelling + (option.short_form.empty() ? "" : "|" + option.short_form);
    words += (words.empty() ? "" : " ") + option.spelling +
             (option.argument.empty() || !option.spelling.starts_with("--") ? "" : "=");
    if (!option.short_form.empty())
      words += " " + option.short_form;
    if (values.kind == Values::Kind::Words || values.kind == Values::Kind::List)
      cases += "    " + names + ") COMPREPLY=($(compgen -W '" + llvm::join(values.words, " ") +
               "' -- \"$word\")); return ;;\n";
    else if (values.kind == Values::Kind::File)
      files += (files.empty() ? "" : "|") + names;
    else if (values.kind == Values::Kind::Folder)
      folders += (folders.empty() ? "" : "|") + names;
  }
  return "# bash completion of smem-lint " SMEM_LINT_VERSION "\n"
         "_smem_lint() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} option=\n"
         "  # Bash splits at '=': the option is one or two words back.\n"
         "  if [ \"$word\" = = ]; then option=${COMP_WORDS[COMP_CWORD-1]} word=\n"
         "  elif [ \"${COMP_WORDS[COMP_CWORD-1]}\" = = ]; then option=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  else option=${COMP_WORDS[COMP_CWORD-1]}; fi\n"
         "  case $option in\n" +
         cases + "    " + files + ") COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n    " + folders +
         ") COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n"
         "  esac\n"
         "  case $word in\n"
         "    -*) COMPREPLY=($(compgen -W '" +
         words +
         "' -- \"$word\")); [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace ;;\n"
         "    *) [ \"$COMP_CWORD\" = 1 ] && COMPREPLY=($(compgen -W 'diff init merge' -- \"$word\"))\n"
         "       COMPREPLY+=($(compgen -d -- \"$word\") $(compgen -f -X '!*.cu' -- \"$word\") $(compgen -f -X '!*.cuh' -- \"$word\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _smem_lint smem-lint\n";
}

std::string zsh_completion() {
  std::string specs;
  for (const OptionText &option : option_texts()) {
    const Values values = values_of(option);
    const bool takes_value = values.kind != Values::Kind::None;
    const bool optional = may_stand_alone(option);
    const std::string described = "[" + replaced(summary(option), "\\[]:", "\\") + "]";
    std::string action;
    switch (values.kind) {
    case Values::Kind::None: break;
    case Values::Kind::Free: action = " "; break;
    case Values::Kind::Words: action = "(" + llvm::join(values.words, " ") + ")"; break;
    case Values::Kind::List: action = "_sequence compadd - " + llvm::join(values.words, " "); break;
    case Values::Kind::File: action = "_files"; break;
    case Values::Kind::Folder: action = "_directories"; break;
    }
    const std::string value = takes_value ? (optional ? "::" : ":") + option.argument + ":" + action : std::string();
    const auto spec = [&](const std::string &name) {
      const char *joint = !takes_value ? "" : name.starts_with("--") ? (optional ? "=-" : "=") : "+";
      specs += "    " + zsh_quoted("*" + name + joint + described + value) + "\n";
    };
    spec(option.spelling);
    if (!option.short_form.empty())
      spec(option.short_form);
  }
  std::string subcommands;
  for (const auto &[name, text] : kSubcommands)
    subcommands += (subcommands.empty() ? "" : " ") + zsh_quoted(std::string(name) + ":" + text);
  return "#compdef smem-lint\n"
         "# zsh completion of smem-lint " SMEM_LINT_VERSION "\n"
         "_smem_lint_files() { _files -g '*.(cu|cuh)(-.)' }\n"
         "_smem_lint_first() {\n"
         "  local -a commands\n"
         "  commands=(" +
         subcommands +
         ")\n"
         "  _describe -t commands command commands\n"
         "  _smem_lint_files\n"
         "}\n"
         "_smem_lint() {\n"
         "  local -a options\n"
         "  options=(\n" +
         specs +
         "  )\n"
         "  _arguments -S $options '1: :_smem_lint_first' '*: :_smem_lint_files'\n"
         "}\n"
         "_smem_lint \"$@\"\n";
}

std::string fish_completion() {
  std::string out = "# fish completion of smem-lint " SMEM_LINT_VERSION "\n"
                    "complete -c smem-lint -k -x -a '(__fish_complete_suffix .cu)'\n";
  for (const auto &[name, text] : kSubcommands)
    out += std::string("complete -c smem-lint -n __fish_is_first_token -a ") + name + " -d " + fish_quoted(text) + "\n";
  for (const OptionText &option : option_texts()) {
    const Values values = values_of(option);
    out += "complete -c smem-lint";
    for (const std::string &name : {option.short_form, option.spelling})
      if (name.starts_with("--"))
        out += " -l " + name.substr(2);
      else if (!name.empty())
        out += " -s " + name.substr(1);
    switch (values.kind) {
    case Values::Kind::None: break;
    case Values::Kind::Free: out += " -x"; break;
    case Values::Kind::Words: out += " -x -a " + fish_quoted(llvm::join(values.words, " ")); break;
    case Values::Kind::List:
      out += " -x -a " + fish_quoted("(__fish_append , " + llvm::join(values.words, " ") + ")");
      break;
    case Values::Kind::File: out += may_stand_alone(option) ? " -F" : " -r -F"; break;
    case Values::Kind::Folder: out += " -x -a '(__fish_complete_directories)'"; break;
    }
    out += " -d " + fish_quoted(summary(option)) + "\n";
  }
  return out;
}

} // namespace smem
