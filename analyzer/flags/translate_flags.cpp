#include "flags/translate_flags.h"

#include "flags/nvcc_options.h"

#include "sinks/files.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>

namespace smem {
namespace {

constexpr std::size_t kLargestOptionsFile = std::size_t{1} << 20;

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

/// Of nvcc_options.h, what only the host compiler knows.
constexpr std::string_view kHostOnly[] = {"-iquote", "-idirafter", "-isysroot", "-imacros"};

/// Of ptxas' options, those that decide the code, without their values.
constexpr std::string_view kPtxas[] = {"-O",
                                       "--opt-level",
                                       "-v",
                                       "--verbose",
                                       "-w",
                                       "--disable-warnings",
                                       "-warn-spills",
                                       "--warn-on-spills",
                                       "-warn-lmem-usage",
                                       "--warn-on-local-memory-usage",
                                       "-suppress-stack-size-warning",
                                       "--suppress-stack-size-warning",
                                       "-dlcm",
                                       "--def-load-cache",
                                       "-dscm",
                                       "--def-store-cache",
                                       "-flcm",
                                       "--force-load-cache",
                                       "-fscm",
                                       "--force-store-cache",
                                       "-fmad",
                                       "--fmad",
                                       "-maxrregcount",
                                       "--maxrregcount",
                                       "-allow-expensive-optimizations",
                                       "--allow-expensive-optimizations",
                                       "-disable-optimizer-constants",
                                       "--disable-optimizer-consts",
                                       "-extensible-whole-program",
                                       "--extensible-whole-program",
                                       "-pic",
                                       "--position-independent-code"};

bool is_for_ptxas(std::string_view flag) {
  const std::string_view name = flag.substr(0, flag.find('='));
  return std::find(std::begin(kPtxas), std::end(kPtxas), name) != std::end(kPtxas) ||
         (name.size() == 3 && name.starts_with("-O") && std::isdigit(static_cast<unsigned char>(name[2])));
}

class Translator {
public:
  void translate(const std::vector<std::string> &flags) {
    for (std::size_t i = 0; i < flags.size(); ++i) {
      if (depth_ == 0)
        from_ = i;
      const std::string &flag = flags[i];
      if (flag.size() < 2 || flag[0] != '-')
        continue; // a source file
      const MatchedOption match = match_nvcc_option(flag, i + 1 < flags.size());
      if (!match.option) {
        const std::size_t count = words_of_option(flags, i);
        std::vector<FlagWord> words;
        for (std::size_t k = i; k < i + count; ++k)
          words.push_back({flags[k], from_});
        leave_out(words);
        words_.insert(words_.end(), words.begin(), words.end());
        i += count - 1;
        continue;
      }
      std::string value;
      if (match.value)
        value = *match.value;
      else if (match.option->takes_value())
        value = flags[++i];
      apply(*match.option, flag, value);
      hand_to_nvcc(*match.option, value);
    }
  }

  TranslatedFlags take() {
    AllowedOptions allowed = allowed_options(words_);
    result_.clang = std::move(allowed.words);
    result_.unused = std::move(allowed.unused);
    return std::move(result_);
  }

private:
  void apply(const NvccOption &option, const std::string &flag, const std::string &value) {
    using enum NvccOption::Action;
    const std::string spelling(option.clang.empty() ? option.spelling : option.clang);
    switch (option.action) {
    case Drop:
    case Machine:
    case Program:
    case Ptxas: break;
    case Keep: emit(spelling + value); break;
    case KeepSeparate:
      emit(spelling);
      emit(value);
      break;
    case KeepList:
      for (std::string &part : split(value, ',')) {
        emit(spelling);
        emit(std::move(part));
      }
      break;
    case ReplaceTrue:
    case ReplaceFalse:
      if (value != (option.action == ReplaceTrue ? "true" : "false"))
        break;
      [[fallthrough]];
    case Replace:
      for (std::string &part : split(option.clang, ' '))
        emit(std::move(part));
      break;
    case Warn: diagnose(Diagnostic::Severity::Warning, "'" + flag + "' is " + std::string(option.clang)); break;
    case Refuse: diagnose(Diagnostic::Severity::Error, "'" + flag + "': " + std::string(option.clang)); break;
    case Architecture: add_architectures(value, result_.architectures); break;
    case Host: keep_preprocessor_flags(split(value, ',')); break;
    case OptionsFile:
      for (const std::string &file : split(value, ','))
        read_options_file(file);
      break;
    }
  }

  /// The option as nvcc reads it, in one word: what stands by itself might be a file with more options.
  void hand_to_nvcc(const NvccOption &option, const std::string &value) {
    using enum NvccOption::Action;
    const bool separated =
        option.takes_value() && option.spelling != "-D" && option.spelling != "-U" && option.spelling != "-I";
    const std::string joined = std::string(option.spelling) + (separated ? "=" : "") + value;
    const bool host_only =
        std::find(std::begin(kHostOnly), std::end(kHostOnly), option.spelling) != std::end(kHostOnly);
    switch (option.action) {
    case Keep:
    case KeepSeparate:
    case KeepList:
    case Replace:
    case ReplaceTrue:
    case ReplaceFalse:
    case Machine:
      if (!host_only && is_plain(joined))
        result_.nvcc.push_back(joined);
      else
        not_for_nvcc(joined);
      break;
    case Ptxas:
      for (const std::string &part : split(value, ','))
        if (is_for_ptxas(part) && is_plain(part))
          result_.nvcc.push_back("-Xptxas=" + part);
        else
          not_for_nvcc("-Xptxas=" + part);
      break;
    case Program: not_for_nvcc(joined); break;
    case Host: { // those of the preprocessor are handed on one by one
      std::vector<FlagWord> words;
      for (std::string &part : split(value, ','))
        words.push_back({std::move(part), from_});
      leave_out(words);
      break;
    }
    case Drop:
    case Warn:
    case Refuse:
    case Architecture:
    case OptionsFile: break;
    }
  }

  void not_for_nvcc(std::string flag) { result_.not_for_nvcc.push_back(shortened(std::move(flag))); }

  /// Flags of the host compiler: without a part in the machine code, but those that are more than flags are named.
  void leave_out(const std::vector<FlagWord> &words) {
    for (UnusedOption &option : allowed_options(words).unused)
      result_.not_for_nvcc.push_back(std::move(option.text));
  }

  void keep_preprocessor_flags(const std::vector<std::string> &flags) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < flags.size(); ++i) {
      const std::string_view flag = flags[i];
      const bool separate = flag == "-I" || flag == "-D" || flag == "-U" || flag == "-isystem" || flag == "-include";
      if (separate && i + 1 < flags.size()) {
        kept.push_back(flags[i]);
        kept.push_back(flags[++i]);
      } else if (flag.starts_with("-I") || flag.starts_with("-D") || flag.starts_with("-U") ||
                 flag.starts_with("-std=") || flag.starts_with("-isystem") || flag == "-fopenmp") {
        // OpenMP itself stays off: Clang's own pragmas in host code are ignored, only the macro is seen.
        kept.push_back(flag == "-fopenmp" ? "-D_OPENMP=201511" : flags[i]);
      }
    }
    translate_inner(kept);
  }

  /// Flags that stand in the value of one.
  void translate_inner(const std::vector<std::string> &flags) {
    ++depth_;
    translate(flags);
    --depth_;
  }

  void read_options_file(const std::string &file) {
    std::string wrong;
    const std::optional<std::string> text = sinks::read_existing(file, wrong, kLargestOptionsFile);
    if (!text) {
      diagnose(Diagnostic::Severity::Error, "cannot read options file '" + file + "': " + wrong);
      return;
    }
    // A file that names itself would not end.
    if (depth_ >= 16 || (size_ += text->size()) > kLargestOptionsFile)
      diagnose(Diagnostic::Severity::Error,
               "options files nested too deeply, or larger than 1 MiB altogether, at '" + file + "'");
    else
      translate_inner(split_words(*text));
  }

  void diagnose(Diagnostic::Severity severity, std::string message) {
    result_.diagnostics.push_back({severity, {}, std::move(message)});
  }

  void emit(std::string word) { words_.push_back({std::move(word), from_}); }

  TranslatedFlags result_;
  std::vector<FlagWord> words_;
  std::size_t from_ = 0; ///< the flag that is at work
  int depth_ = 0;        ///< of flags within flags
  std::size_t size_ = 0; ///< of options files: one may name another several times
};

} // namespace

FlagTreatment treatment_of(std::string_view option) {
  const NvccOption *known = find_nvcc_option(option);
  if (!known)
    return FlagTreatment::Unknown;
  switch (known->action) {
  case NvccOption::Action::Drop:
  case NvccOption::Action::Machine:
  case NvccOption::Action::Program:
  case NvccOption::Action::Ptxas: return FlagTreatment::Drop;
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

std::size_t words_of_flag(const std::vector<std::string> &flags, std::size_t at) {
  const MatchedOption match = match_nvcc_option(flags[at], at + 1 < flags.size());
  if (!match.option)
    return words_of_option(flags, at);
  return match.option->takes_value() && !match.value ? 2 : 1;
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./=+,:@%^-").find(c) != std::string_view::npos;
  });
}

TranslatedFlags translate_flags(const std::vector<std::string> &flags) {
  Translator translator;
  translator.translate(flags);
  return translator.take();
}

std::string quoted_list(const std::vector<std::string> &texts) {
  constexpr std::size_t kMost = 10;
  std::set<std::string_view> seen;
  std::string list;
  for (const std::string &text : texts)
    if (seen.insert(text).second && seen.size() <= kMost)
      list += (list.empty() ? "'" : ", '") + text + "'";
  return seen.size() <= kMost ? list : list + " and " + std::to_string(seen.size() - kMost) + " more";
}

std::vector<Diagnostic> diagnostics_of(const std::vector<UnusedOption> &unused) {
  std::vector<std::string> left_out, unknown, without_value;
  for (const UnusedOption &option : unused)
    (option.reason == UnusedOption::Reason::NotAllowed ? left_out
     : option.reason == UnusedOption::Reason::Unknown  ? unknown
                                                       : without_value)
        .push_back(option.text);
  std::vector<Diagnostic> diagnostics;
  if (!unknown.empty())
    diagnostics.push_back({Diagnostic::Severity::Error, {}, "unknown argument: " + quoted_list(unknown)});
  if (!without_value.empty())
    diagnostics.push_back(
        {Diagnostic::Severity::Error, {}, "argument to " + quoted_list(without_value) + " is missing"});
  if (!left_out.empty())
    diagnostics.push_back({Diagnostic::Severity::Note,
                           {},
                           "not used of the compiler flags: " + quoted_list(left_out) +
                               "; those that count are about " + std::string(what_is_allowed())});
  return diagnostics;
}

} // namespace smem
