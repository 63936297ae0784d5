#include "frontend/translate_flags.h"

#include "frontend/nvcc_options.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string_view>

namespace smem {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0)
      parts.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

/// `arch=compute_80,code=[sm_80,compute_80]`, `sm_80`, `compute_80`, `native` -> "sm_80" where a number is named.
void add_architectures(std::string_view value, std::vector<std::string> &found) {
  for (std::string_view prefix : {"sm_", "compute_"}) {
    const std::size_t at = value.find(prefix);
    if (at == std::string_view::npos)
      continue;
    std::string_view rest = value.substr(at + prefix.size());
    std::size_t length = 0;
    while (length < rest.size() && std::isalnum(static_cast<unsigned char>(rest[length])))
      ++length;
    std::string name = "sm_" + std::string(rest.substr(0, length));
    if (length != 0 && std::find(found.begin(), found.end(), name) == found.end())
      found.push_back(std::move(name));
    return;
  }
}

/// Words as a shell splits them, quotes and backslashes included; nvcc's options files are read that way.
std::vector<std::string> split_words(const std::string &text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && i + 1 < text.size())
        word += text[++i];
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      open = true;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      if (open)
        words.push_back(std::move(word));
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open)
    words.push_back(std::move(word));
  return words;
}

class Translator {
public:
  void translate(const std::vector<std::string> &flags) {
    for (std::size_t i = 0; i < flags.size(); ++i) {
      const std::string &flag = flags[i];
      if (flag.size() < 2 || flag[0] != '-')
        continue; // a source file
      const MatchedOption match = match_nvcc_option(flag, i + 1 < flags.size());
      if (!match.option) {
        result_.clang.push_back(flag);
        continue;
      }
      std::string value;
      if (match.value)
        value = *match.value;
      else if (match.option->takes_value())
        value = flags[++i];
      apply(*match.option, flag, value);
    }
  }

  TranslatedFlags take() { return std::move(result_); }

private:
  void apply(const NvccOption &option, const std::string &flag, const std::string &value) {
    using enum NvccOption::Action;
    const std::string spelling(option.clang.empty() ? option.spelling : option.clang);
    switch (option.action) {
    case Drop:
      break;
    case Keep:
      result_.clang.push_back(spelling + value);
      break;
    case KeepSeparate:
      result_.clang.push_back(spelling);
      result_.clang.push_back(value);
      break;
    case KeepList:
      for (std::string &part : split(value, ',')) {
        result_.clang.push_back(spelling);
        result_.clang.push_back(std::move(part));
      }
      break;
    case ReplaceTrue:
    case ReplaceFalse:
      if (value != (option.action == ReplaceTrue ? "true" : "false"))
        break;
      [[fallthrough]];
    case Replace:
      for (std::string &part : split(option.clang, ' '))
        result_.clang.push_back(std::move(part));
      break;
    case Warn:
      diagnose(Diagnostic::Severity::Warning, "'" + flag + "' is " + std::string(option.clang));
      break;
    case Refuse:
      diagnose(Diagnostic::Severity::Error, "'" + flag + "': " + std::string(option.clang));
      break;
    case Architecture:
      add_architectures(value, result_.architectures);
      break;
    case Host:
      keep_preprocessor_flags(split(value, ','));
      break;
    case OptionsFile:
      for (const std::string &file : split(value, ','))
        read_options_file(file);
      break;
    }
  }

  void keep_preprocessor_flags(const std::vector<std::string> &flags) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < flags.size(); ++i) {
      const std::string_view flag = flags[i];
      const bool separate = flag == "-I" || flag == "-D" || flag == "-U" || flag == "-isystem" || flag == "-include";
      if (separate && i + 1 < flags.size()) {
        kept.push_back(flags[i]);
        kept.push_back(flags[++i]);
      } else if (flag.starts_with("-I") || flag.starts_with("-D") || flag.starts_with("-U") || flag.starts_with("-std=") ||
                 flag.starts_with("-isystem") || flag == "-fopenmp") {
        // OpenMP itself stays off: Clang's own pragmas in host code are ignored, only the macro is seen.
        kept.push_back(flag == "-fopenmp" ? "-D_OPENMP=201511" : flags[i]);
      }
    }
    translate(kept);
  }

  void read_options_file(const std::string &file) {
    std::ifstream in(file);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) {
      diagnose(Diagnostic::Severity::Error, "cannot read options file '" + file + "'");
      return;
    }
    // A file that names itself would not end.
    if (++depth_ > 16)
      diagnose(Diagnostic::Severity::Error, "options files nested too deeply at '" + file + "'");
    else
      translate(split_words(text.str()));
    --depth_;
  }

  void diagnose(Diagnostic::Severity severity, std::string message) {
    result_.diagnostics.push_back({severity, {}, std::move(message)});
  }

  TranslatedFlags result_;
  int depth_ = 0;
};

} // namespace

FlagTreatment treatment_of(std::string_view option) {
  const NvccOption *known = find_nvcc_option(option);
  if (!known)
    return FlagTreatment::Unknown;
  switch (known->action) {
  case NvccOption::Action::Drop: return FlagTreatment::Drop;
  case NvccOption::Action::Warn: return FlagTreatment::Warn;
  case NvccOption::Action::Refuse: return FlagTreatment::Refuse;
  default: return FlagTreatment::Translate;
  }
}

std::string_view to_string(FlagTreatment treatment) {
  switch (treatment) {
  case FlagTreatment::Unknown: return "unknown";
  case FlagTreatment::Translate: return "translate";
  case FlagTreatment::Drop: return "drop";
  case FlagTreatment::Warn: return "warn";
  case FlagTreatment::Refuse: return "refuse";
  }
  return "unknown";
}

TranslatedFlags translate_flags(const std::vector<std::string> &flags) {
  Translator translator;
  translator.translate(flags);
  return translator.take();
}

} // namespace smem
