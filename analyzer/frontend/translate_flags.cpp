#include "frontend/translate_flags.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace smem {
namespace {

enum class Argument : std::uint8_t {
  None,             ///< -lineinfo
  Value,            ///< -o x, -o=x
  JoinedOrValue,    ///< -Idir, -I dir
  Joined,           ///< -O3: whatever follows the spelling, possibly nothing
};

enum class Action : std::uint8_t {
  Drop,         ///< of no consequence for the device code's memory instructions
  Keep,         ///< Clang knows it: `clang` (or the spelling), then the value, joined
  KeepSeparate, ///< the same, value as an argument of its own
  KeepList,     ///< comma-separated list: KeepSeparate for every element
  Replace,      ///< fixed text, the value is not used
  Warn,         ///< dropped, but the figures are not those of such a build: `clang` says why
  Refuse,       ///< no analysis is possible: `clang` says why
  Architecture, ///< an architecture, or a list of code specifications
  Host,         ///< list of flags of the host compiler: those of the preprocessor are kept
  OptionsFile,  ///< more flags in files
};

struct Row {
  std::string_view spelling;
  Argument argument;
  Action action;
  std::string_view clang = {};
};

using enum Argument;
using enum Action;

// `-std=x` and `-std x` are the same. Sorted by theme as in nvcc's help.
constexpr Row kTable[] = {
    // Preprocessor.
    {"-D", JoinedOrValue, Keep, "-D"},
    {"--define-macro", Value, KeepList, "-D"},
    {"-U", JoinedOrValue, Keep, "-U"},
    {"--undefine-macro", Value, KeepList, "-U"},
    {"-isystem", JoinedOrValue, KeepSeparate, "-isystem"},
    {"--system-include", Value, KeepList, "-isystem"},
    {"-include", Value, KeepSeparate, "-include"},
    {"--pre-include", Value, KeepList, "-include"},
    {"-imacros", Value, KeepSeparate, "-imacros"},
    {"-iquote", JoinedOrValue, KeepSeparate, "-iquote"},
    {"-idirafter", JoinedOrValue, KeepSeparate, "-idirafter"},
    {"-isysroot", JoinedOrValue, KeepSeparate, "-isysroot"},
    {"--include-path", Value, KeepList, "-I"},
    {"-I", JoinedOrValue, Keep, "-I"},
    // Language.
    {"-std", Value, Keep, "-std="},
    {"--std", Value, Keep, "-std="},
    {"-x", JoinedOrValue, Drop},
    {"--x", Value, Drop},
    {"-expt-relaxed-constexpr", None, Drop}, // Clang's own rule is the relaxed one
    {"--expt-relaxed-constexpr", None, Drop},
    {"-expt-extended-lambda", None, Drop},
    {"--expt-extended-lambda", None, Drop},
    {"-extended-lambda", None, Drop},
    {"--extended-lambda", None, Drop},
    {"-ftemplate-depth", Value, Keep, "-ftemplate-depth="},
    {"--ftemplate-depth", Value, Keep, "-ftemplate-depth="},
    {"-ftemplate-backtrace-limit", Value, Drop},
    {"--ftemplate-backtrace-limit", Value, Drop},
    {"-noeh", None, Drop},
    {"--no-exceptions", None, Drop},
    {"-nohdinitlist", None, Drop},
    {"--no-host-device-initializer-list", None, Drop},
    {"-nohdmoveforward", None, Drop},
    {"--no-host-device-move-forward", None, Drop},
    {"-m", Value, Drop},
    {"-m64", None, Drop},
    {"--m64", None, Drop},
    {"--machine", Value, Drop},
    {"-m32", None, Refuse, "32-bit builds are not modelled"},
    // Code generation.
    {"-O", Joined, Keep, "-O"},
    {"--optimize", Value, Keep, "-O"},
    {"-Ofc", Value, Drop},
    {"--Ofast-compile", Value, Drop},
    {"-dopt", Value, Drop},
    {"--dopt", Value, Drop},
    {"-g", None, Drop},
    {"--debug", None, Drop},
    {"-G", None, Warn, "ignored: the figures are those of an optimised build"},
    {"--device-debug", None, Warn, "ignored: the figures are those of an optimised build"},
    {"-lineinfo", None, Drop},
    {"--generate-line-info", None, Drop},
    {"-src-in-ptx", None, Drop},
    {"--source-in-ptx", None, Drop},
    // Floating point never reaches an address through these, and -ffast-math would let Clang reorder loads as nvcc does not.
    {"-use_fast_math", None, Replace, "-fgpu-flush-denormals-to-zero -fgpu-approx-transcendentals"},
    {"--use_fast_math", None, Replace, "-fgpu-flush-denormals-to-zero -fgpu-approx-transcendentals"},
    {"-ftz", Value, Drop},
    {"--ftz", Value, Drop},
    {"-prec-div", Value, Drop},
    {"--prec-div", Value, Drop},
    {"-prec-sqrt", Value, Drop},
    {"--prec-sqrt", Value, Drop},
    {"-fmad", Value, Drop},
    {"--fmad", Value, Drop},
    {"-maxrregcount", Value, Drop},
    {"--maxrregcount", Value, Drop},
    {"-extra-device-vectorization", None, Drop},
    {"--extra-device-vectorization", None, Drop},
    {"-restrict", None, Warn, "ignored: pointer parameters are not taken as __restrict__"},
    {"--restrict", None, Warn, "ignored: pointer parameters are not taken as __restrict__"},
    {"-default-stream", Value, Drop},
    {"--default-stream", Value, Drop},
    {"-rdc", Value, Drop},
    {"--relocatable-device-code", Value, Drop},
    {"-dc", None, Drop},
    {"--device-c", None, Drop},
    {"-dw", None, Drop},
    {"--device-w", None, Drop},
    {"-ewp", None, Drop},
    {"--extensible-whole-program", None, Drop},
    {"-dlto", None, Drop},
    {"--dlink-time-opt", None, Drop},
    {"-lto", None, Drop},
    {"--lto", None, Drop},
    {"-gen-opt-lto", None, Drop},
    {"--gen-opt-lto", None, Drop},
    {"-jtd", Value, Drop},
    {"--jump-table-density", Value, Drop},
    {"-device-stack-protector", Value, Drop},
    {"--device-stack-protector", Value, Drop},
    {"-sanitize", Value, Drop},
    {"--sanitize", Value, Drop},
    {"-keep-device-functions", None, Drop},
    {"--keep-device-functions", None, Drop},
    {"-static-global-template-stub", Value, Drop},
    {"--static-global-template-stub", Value, Drop},
    {"-device-entity-has-hidden-visibility", Value, Drop},
    {"--device-entity-has-hidden-visibility", Value, Drop},
    {"-reloc-ptx", None, Drop},
    {"--relocatable-ptx", None, Drop},
    {"-compress-mode", Value, Drop},
    {"--compress-mode", Value, Drop},
    {"-no-compress", None, Drop},
    {"--no-compress", None, Drop},
    {"-frandom-seed", Value, Drop},
    {"--frandom-seed", Value, Drop},
    {"-e", Value, Drop},
    {"--entries", Value, Drop},
    // Architectures.
    {"-arch", Value, Action::Architecture},
    {"--gpu-architecture", Value, Action::Architecture},
    {"-gencode", Value, Action::Architecture},
    {"--generate-code", Value, Action::Architecture},
    {"--cuda-gpu-arch", Value, Action::Architecture},
    {"--offload-arch", Value, Action::Architecture},
    {"-code", Value, Drop},
    {"--gpu-code", Value, Drop},
    // Flags for other tools.
    {"-Xcompiler", Value, Host},
    {"--compiler-options", Value, Host},
    {"-Xptxas", Value, Drop},
    {"--ptxas-options", Value, Drop},
    {"-Xlinker", Value, Drop},
    {"--linker-options", Value, Drop},
    {"-Xarchive", Value, Drop},
    {"--archive-options", Value, Drop},
    {"-Xnvlink", Value, Drop},
    {"--nvlink-options", Value, Drop},
    {"-Xcudafe", Value, Drop},
    {"-Xfatbin", Value, Drop},
    {"-forward-unknown-to-host-compiler", None, Drop},
    {"--forward-unknown-to-host-compiler", None, Drop},
    {"-forward-unknown-to-host-linker", None, Drop},
    {"--forward-unknown-to-host-linker", None, Drop},
    {"-forward-unknown-opts", None, Drop},
    {"--forward-unknown-opts", None, Drop},
    {"-ccbin", Value, Drop},
    {"--compiler-bindir", Value, Drop},
    {"-allow-unsupported-compiler", None, Drop},
    {"--allow-unsupported-compiler", None, Drop},
    {"-arbin", Value, Drop},
    {"--archiver-binary", Value, Drop},
    {"-use-local-env", None, Drop},
    {"--use-local-env", None, Drop},
    {"-force-cl-env-setup", None, Drop},
    {"--force-cl-env-setup", None, Drop},
    {"-ldir", Value, Drop},
    {"--libdevice-directory", Value, Drop},
    {"-target-dir", Value, Drop},
    {"--target-directory", Value, Drop},
    {"-cudart", Value, Drop},
    {"--cudart", Value, Drop},
    {"-cudadevrt", Value, Drop},
    {"--cudadevrt", Value, Drop},
    {"-qpp-config", Value, Drop},
    {"--qpp-config", Value, Drop},
    // What to produce: this tool decides.
    {"-c", None, Drop},
    {"--compile", None, Drop},
    {"-S", None, Drop},
    {"-E", None, Drop},
    {"--preprocess", None, Drop},
    {"-emit-llvm", None, Drop},
    {"-fsyntax-only", None, Drop},
    {"-o", JoinedOrValue, Drop},
    {"--output-file", Value, Drop},
    {"-odir", Value, Drop},
    {"--output-directory", Value, Drop},
    {"-cuda", None, Drop},
    {"--cuda", None, Drop},
    {"-cubin", None, Drop},
    {"--cubin", None, Drop},
    {"-fatbin", None, Drop},
    {"--fatbin", None, Drop},
    {"-ptx", None, Drop},
    {"--ptx", None, Drop},
    {"-optix-ir", None, Drop},
    {"--optix-ir", None, Drop},
    {"-ltoir", None, Drop},
    {"--ltoir", None, Drop},
    {"-dlink", None, Drop},
    {"--device-link", None, Drop},
    {"-nodlink", None, Drop},
    {"--no-device-link", None, Drop},
    {"-link", None, Drop},
    {"--link", None, Drop},
    {"-lib", None, Drop},
    {"--lib", None, Drop},
    {"-run", None, Drop},
    {"--run", None, Drop},
    {"-run-args", Value, Drop},
    {"--run-args", Value, Drop},
    {"-shared", None, Drop},
    {"--shared", None, Drop},
    {"-r", None, Drop},
    {"--relocatable-link", None, Drop},
    {"-hls", Value, Drop},
    {"--host-linker-script", Value, Drop},
    {"-aug-hls", None, Drop},
    {"--augment-host-linker-script", None, Drop},
    {"-l", JoinedOrValue, Drop},
    {"--library", Value, Drop},
    {"-L", JoinedOrValue, Drop},
    {"--library-path", Value, Drop},
    {"-Wl,", Joined, Drop},
    {"--cuda-device-only", None, Drop},
    {"--cuda-host-only", None, Drop},
    // Dependencies, progress, intermediate files.
    {"-M", None, Drop},
    {"--generate-dependencies", None, Drop},
    {"-MM", None, Drop},
    {"--generate-nonsystem-dependencies", None, Drop},
    {"-MD", None, Drop},
    {"--generate-dependencies-with-compile", None, Drop},
    {"-MMD", None, Drop},
    {"--generate-nonsystem-dependencies-with-compile", None, Drop},
    {"-MP", None, Drop},
    {"--generate-dependency-targets", None, Drop},
    {"-MF", JoinedOrValue, Drop},
    {"--dependency-output", Value, Drop},
    {"-MT", JoinedOrValue, Drop},
    {"-MQ", JoinedOrValue, Drop},
    {"--dependency-target-name", Value, Drop},
    {"-objtemp", None, Drop},
    {"--objdir-as-tempdir", None, Drop},
    {"-keep", None, Drop},
    {"--keep", None, Drop},
    {"-save-temps", None, Drop},
    {"--save-temps", None, Drop},
    {"-keep-dir", Value, Drop},
    {"--keep-dir", Value, Drop},
    {"-clean", None, Drop},
    {"--clean-targets", None, Drop},
    {"-dryrun", None, Drop},
    {"--dryrun", None, Drop},
    {"-v", None, Drop},
    {"--verbose", None, Drop},
    {"-t", Value, Drop},
    {"--threads", Value, Drop},
    {"-split-compile", Value, Drop},
    {"--split-compile", Value, Drop},
    {"-split-compile-extended", Value, Drop},
    {"--split-compile-extended", Value, Drop},
    {"-jobserver", None, Drop},
    {"--jobserver", None, Drop},
    {"-time", Value, Drop},
    {"--time", Value, Drop},
    {"-fdevice-time-trace", Value, Drop},
    {"--fdevice-time-trace", Value, Drop},
    {"-fdevice-syntax-only", None, Drop},
    {"--fdevice-syntax-only", None, Drop},
    {"-opt-info", Value, Drop},
    {"--optimization-info", Value, Drop},
    {"-noprof", None, Drop},
    {"--dont-use-profile", None, Drop},
    {"-pg", None, Drop},
    {"--profile", None, Drop},
    {"-idp", Value, Drop},
    {"--input-drive-prefix", Value, Drop},
    {"-ddp", Value, Drop},
    {"--dependency-drive-prefix", Value, Drop},
    {"-dp", Value, Drop},
    {"--drive-prefix", Value, Drop},
    {"-no-align-double", None, Drop},
    {"--no-align-double", None, Drop},
    // Diagnostics of another compiler.
    {"-w", None, Drop},
    {"--disable-warnings", None, Drop},
    {"-Werror", None, Drop},
    {"-Werror", Value, Drop},
    {"--Werror", Value, Drop},
    {"-Wreorder", None, Drop},
    {"--Wreorder", None, Drop},
    {"-Wdefault-stream-launch", None, Drop},
    {"--Wdefault-stream-launch", None, Drop},
    {"-Wmissing-launch-bounds", None, Drop},
    {"--Wmissing-launch-bounds", None, Drop},
    {"-Wext-lambda-captures-this", None, Drop},
    {"--Wext-lambda-captures-this", None, Drop},
    {"-Wno-deprecated-gpu-targets", None, Drop},
    {"--Wno-deprecated-gpu-targets", None, Drop},
    {"-Wno-deprecated-declarations", None, Drop},
    {"--Wno-deprecated-declarations", None, Drop},
    {"-res-usage", None, Drop},
    {"--resource-usage", None, Drop},
    {"-err-no", None, Drop},
    {"--display-error-number", None, Drop},
    {"-no-err-no", None, Drop},
    {"--no-display-error-number", None, Drop},
    {"-diag-error", Value, Drop},
    {"--diag-error", Value, Drop},
    {"-diag-suppress", Value, Drop},
    {"--diag-suppress", Value, Drop},
    {"-diag-warn", Value, Drop},
    {"--diag-warn", Value, Drop},
    {"-brief-diag", Value, Drop},
    {"--brief-diagnostics", Value, Drop},
    {"-astoolspatch", None, Drop},
    {"--compile-as-tools-patch", None, Drop},
    {"-h", None, Refuse, "only prints, compiles nothing"},
    {"--help", None, Refuse, "only prints, compiles nothing"},
    {"-V", None, Refuse, "only prints, compiles nothing"},
    {"--version", None, Refuse, "only prints, compiles nothing"},
    {"-code-ls", None, Refuse, "only lists architectures, compiles nothing"},
    {"--list-gpu-code", None, Refuse, "only lists architectures, compiles nothing"},
    {"-arch-ls", None, Refuse, "only lists architectures, compiles nothing"},
    {"--list-gpu-arch", None, Refuse, "only lists architectures, compiles nothing"},
    {"-optf", Value, OptionsFile},
    {"--options-file", Value, OptionsFile},
    // Clang's options whose value is an argument of its own; all others pass through one by one.
    {"-Xclang", Value, KeepSeparate, "-Xclang"},
    {"-mllvm", Value, KeepSeparate, "-mllvm"},
    {"-resource-dir", Value, KeepSeparate, "-resource-dir"},
};

/// A row and what follows its spelling within the same argument.
struct Match {
  const Row *row = nullptr;
  std::optional<std::string_view> joined;
};

Match find_row(std::string_view flag, bool has_next) {
  Match best;
  auto offer = [&](const Row &row, std::optional<std::string_view> joined) {
    if (!best.row || row.spelling.size() > best.row->spelling.size())
      best = {&row, joined};
  };
  for (const Row &row : kTable) {
    if (!flag.starts_with(row.spelling))
      continue;
    const std::string_view rest = flag.substr(row.spelling.size());
    switch (row.argument) {
    case Argument::None:
      if (rest.empty())
        offer(row, std::nullopt);
      break;
    case Value:
      if (rest.empty() && has_next)
        offer(row, std::nullopt);
      else if (rest.starts_with('='))
        offer(row, rest.substr(1));
      break;
    case JoinedOrValue:
      if (rest.empty() && has_next)
        offer(row, std::nullopt);
      else if (!rest.empty())
        offer(row, rest.starts_with('=') ? rest.substr(1) : rest);
      break;
    case Joined:
      offer(row, rest);
      break;
    }
  }
  return best;
}

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
      const Match match = find_row(flag, i + 1 < flags.size());
      if (!match.row) {
        result_.clang.push_back(flag);
        continue;
      }
      std::string value;
      if (match.joined)
        value = *match.joined;
      else if (match.row->argument == Value || match.row->argument == JoinedOrValue)
        value = flags[++i];
      apply(*match.row, flag, value);
    }
  }

  TranslatedFlags take() { return std::move(result_); }

private:
  void apply(const Row &row, const std::string &flag, const std::string &value) {
    const std::string spelling(row.clang.empty() ? row.spelling : row.clang);
    switch (row.action) {
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
    case Replace:
      for (std::string &part : split(row.clang, ' '))
        result_.clang.push_back(std::move(part));
      break;
    case Warn:
      diagnose(Diagnostic::Severity::Warning, "'" + flag + "' is " + std::string(row.clang));
      break;
    case Refuse:
      diagnose(Diagnostic::Severity::Error, "'" + flag + "': " + std::string(row.clang));
      break;
    case Action::Architecture:
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
  const auto row = std::find_if(std::begin(kTable), std::end(kTable), [&](const Row &candidate) { return candidate.spelling == option; });
  if (row == std::end(kTable))
    return FlagTreatment::Unknown;
  switch (row->action) {
  case Drop: return FlagTreatment::Drop;
  case Warn: return FlagTreatment::Warn;
  case Refuse: return FlagTreatment::Refuse;
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
