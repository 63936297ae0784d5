#include "flags/nvcc_options.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace smem {
namespace {

using enum NvccOption::Argument;
using enum NvccOption::Action;

// Attributes of every function: Clang has no word for these, and nvcc/facts/float_attributes.h has their names.
constexpr std::string_view kApproximatesDivision = "-Xclang -default-function-attr -Xclang smem-approximate-division",
                           kApproximatesRoot = "-Xclang -default-function-attr -Xclang smem-approximate-root",
                           kFastMath = "-fgpu-flush-denormals-to-zero -fgpu-approx-transcendentals "
                                       "-Xclang -default-function-attr -Xclang smem-approximate-division "
                                       "-Xclang -default-function-attr -Xclang smem-approximate-root";

// What nvcc defines for them, and sources ask for.
constexpr std::string_view kRelaxedConstexpr = "-D__CUDACC_RELAXED_CONSTEXPR__=1",
                           kExtendedLambda = "-D__CUDACC_EXTENDED_LAMBDA__=1";

// `-std=x` and `-std x` are the same. Sorted by theme as in nvcc's help.
constexpr NvccOption kTable[] = {
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
    {"-x", JoinedOrValue, Machine},
    {"--x", Value, Machine},
    {"-expt-relaxed-constexpr", None, Replace, kRelaxedConstexpr}, // Clang's own rule is the relaxed one
    {"--expt-relaxed-constexpr", None, Replace, kRelaxedConstexpr},
    {"-expt-extended-lambda", None, Replace, kExtendedLambda},
    {"--expt-extended-lambda", None, Replace, kExtendedLambda},
    {"-extended-lambda", None, Replace, kExtendedLambda},
    {"--extended-lambda", None, Replace, kExtendedLambda},
    {"-ftemplate-depth", Value, Keep, "-ftemplate-depth="},
    {"--ftemplate-depth", Value, Keep, "-ftemplate-depth="},
    {"-ftemplate-backtrace-limit", Value, Machine},
    {"--ftemplate-backtrace-limit", Value, Machine},
    {"-noeh", None, Machine},
    {"--no-exceptions", None, Machine},
    {"-nohdinitlist", None, Machine},
    {"--no-host-device-initializer-list", None, Machine},
    {"-nohdmoveforward", None, Machine},
    {"--no-host-device-move-forward", None, Machine},
    {"-m", Value, Machine},
    {"-m64", None, Machine},
    {"--m64", None, Machine},
    {"--machine", Value, Machine},
    {"-m32", None, Refuse, "32-bit builds are not modelled"},
    // Code generation.
    {"-O", Joined, Machine}, // of host code: nvcc -O0 to -O3 make the same cubin
    {"--optimize", Value, Machine},
    {"-Ofc", Value, Machine},
    {"--Ofast-compile", Value, Machine},
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
    // Not -ffast-math: it would let Clang reorder loads, and sums, as nvcc does not.
    {"-use_fast_math", None, Replace, kFastMath},
    {"--use_fast_math", None, Replace, kFastMath},
    {"-ftz", Value, ReplaceTrue, "-fgpu-flush-denormals-to-zero"},
    {"--ftz", Value, ReplaceTrue, "-fgpu-flush-denormals-to-zero"},
    {"-prec-div", Value, ReplaceFalse, kApproximatesDivision},
    {"--prec-div", Value, ReplaceFalse, kApproximatesDivision},
    {"-prec-sqrt", Value, ReplaceFalse, kApproximatesRoot},
    {"--prec-sqrt", Value, ReplaceFalse, kApproximatesRoot},
    {"-fmad", Value, ReplaceFalse, "-ffp-contract=off"},
    {"--fmad", Value, ReplaceFalse, "-ffp-contract=off"},
    {"-maxrregcount", Value, Machine},
    {"--maxrregcount", Value, Machine},
    {"-extra-device-vectorization", None, Machine},
    {"--extra-device-vectorization", None, Machine},
    {"-restrict", None, Warn, "ignored: pointer parameters are not taken as __restrict__"},
    {"--restrict", None, Warn, "ignored: pointer parameters are not taken as __restrict__"},
    {"-default-stream", Value, Machine},
    {"--default-stream", Value, Machine},
    {"-rdc", Value, Machine},
    {"--relocatable-device-code", Value, Machine},
    {"-dc", None, Drop},
    {"--device-c", None, Drop},
    {"-dw", None, Drop},
    {"--device-w", None, Drop},
    {"-ewp", None, Machine},
    {"--extensible-whole-program", None, Machine},
    {"-dlto", None, Drop},
    {"--dlink-time-opt", None, Drop},
    {"-lto", None, Drop},
    {"--lto", None, Drop},
    {"-gen-opt-lto", None, Drop},
    {"--gen-opt-lto", None, Drop},
    {"-jtd", Value, Machine},
    {"--jump-table-density", Value, Machine},
    {"-device-stack-protector", Value, Machine},
    {"--device-stack-protector", Value, Machine},
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
    {"-arch", Value, Architecture},
    {"--gpu-architecture", Value, Architecture},
    {"-gencode", Value, Architecture},
    {"--generate-code", Value, Architecture},
    {"--cuda-gpu-arch", Value, Architecture},
    {"--offload-arch", Value, Architecture},
    {"-code", Value, Drop},
    {"--gpu-code", Value, Drop},
    // Flags for other tools.
    {"-Xcompiler", Value, Host},
    {"--compiler-options", Value, Host},
    {"-Xptxas", Value, Ptxas},
    {"--ptxas-options", Value, Ptxas},
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
    {"-ccbin", Value, Program},
    {"--compiler-bindir", Value, Program},
    {"-allow-unsupported-compiler", None, Machine},
    {"--allow-unsupported-compiler", None, Machine},
    {"-arbin", Value, Program},
    {"--archiver-binary", Value, Program},
    {"-use-local-env", None, Drop},
    {"--use-local-env", None, Drop},
    {"-force-cl-env-setup", None, Drop},
    {"--force-cl-env-setup", None, Drop},
    {"-ldir", Value, Program},
    {"--libdevice-directory", Value, Program},
    {"-target-dir", Value, Program},
    {"--target-directory", Value, Program},
    {"-cudart", Value, Drop},
    {"--cudart", Value, Drop},
    {"-cudadevrt", Value, Drop},
    {"--cudadevrt", Value, Drop},
    {"-qpp-config", Value, Program},
    {"--qpp-config", Value, Program},
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
    {"-hls", Value, Program},
    {"--host-linker-script", Value, Program},
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
};

} // namespace

const NvccOption *find_nvcc_option(std::string_view spelling) {
  const auto found = std::find_if(std::begin(kTable), std::end(kTable),
                                  [&](const NvccOption &option) { return option.spelling == spelling; });
  return found == std::end(kTable) ? nullptr : &*found;
}

MatchedOption match_nvcc_option(std::string_view argument, bool has_next) {
  MatchedOption best;
  auto offer = [&](const NvccOption &option, std::optional<std::string_view> value) {
    if (!best.option || option.spelling.size() > best.option->spelling.size())
      best = {&option, value};
  };
  for (const NvccOption &option : kTable) {
    if (!argument.starts_with(option.spelling))
      continue;
    const std::string_view rest = argument.substr(option.spelling.size());
    switch (option.argument) {
    case None:
      if (rest.empty())
        offer(option, std::nullopt);
      break;
    case Value:
      if (rest.empty() && has_next)
        offer(option, std::nullopt);
      else if (rest.starts_with('='))
        offer(option, rest.substr(1));
      break;
    case JoinedOrValue:
      if (rest.empty() && has_next)
        offer(option, std::nullopt);
      else if (!rest.empty())
        offer(option, rest.starts_with('=') ? rest.substr(1) : rest);
      break;
    case Joined: offer(option, rest); break;
    }
  }
  return best;
}

bool makes_relocatable_code(std::span<const std::string> flags) {
  constexpr std::array<std::string_view, 5> kAlone{"-dc", "--device-c", "-dw", "--device-w", "-fgpu-rdc"};
  bool relocatable = false;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (std::ranges::find(kAlone, flags[i]) != kAlone.end())
      relocatable = true;
    else if (flags[i] == "-fno-gpu-rdc")
      relocatable = false;
    const MatchedOption matched = match_nvcc_option(flags[i], i + 1 < flags.size());
    if (!matched.option ||
        (matched.option->spelling != "-rdc" && matched.option->spelling != "--relocatable-device-code"))
      continue;
    relocatable = matched.value ? *matched.value == "true" : flags[i + 1] == "true";
  }
  return relocatable;
}

} // namespace smem
