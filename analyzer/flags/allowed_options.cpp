#include "flags/allowed_options.h"

#include <algorithm>
#include <map>
#include <memory>

#include <clang/Driver/Options.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Option/Arg.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Option/Option.h>

namespace smem {
namespace {

namespace options = clang::driver::options;
using llvm::StringRef;
using llvm::opt::Arg;
using llvm::opt::Option;

enum class Use {
  Keep, ///< it says what the code means
  Drop, ///< every build has it, and it has no part in an analysis: outputs, debugging information, the linker's, the host's machine code
  Refuse, ///< all others
};

struct Family {
  Use use;
  StringRef names; ///< as Clang's table has them, aliases resolved; "-f[no-]x" stands for -fx and -fno-x
};

constexpr Family kFamilies[] = {
    // Macros; folders and files of source text.
    {Use::Keep,
     "-D -U -undef -include -imacros -I -I- -F -iquote -isystem -isystem-after -idirafter -isysroot -iprefix -iwithprefix -iwithprefixbefore "
     "-iwithsysroot -iframework -iframeworkwithsysroot -cxx-isystem -c-isystem -internal-isystem -internal-externc-isystem -stdlib++-isystem "
     "--embed-dir= --system-header-prefix= --no-system-header-prefix= --sysroot= --gcc-toolchain= --gcc-install-dir= --gcc-triple= -stdlib= "
     "-resource-dir --cuda-path= --cuda-path-ignore-env --no-cuda-version-check -nogpuinc -nogpulib -nostdinc -nostdinc++ -nostdlibinc "
     "-nostdsysteminc -nobuiltininc"},
    // Language.
    {Use::Keep,
     "-std= -ansi -pthread -no-pthread -fgnuc-version= -fclang-abi-compat= -fms-compatibility-version= -fmsc-version= -ftemplate-depth= "
     "-fconstexpr-depth= -fconstexpr-steps= -fbracket-depth= -fbracket-depth -foperator-arrow-depth= -fpack-struct= -fmax-type-align= -fnew-alignment= "
     "-faligned-new= -fstrict-flex-arrays= -flax-vector-conversions= -fno-builtin- -finput-charset= -fexec-charset= -fno-knr-functions "
     "-fheinous-gnu-extensions -fno-cuda-host-device-constexpr -fcuda-allow-variadic-functions -fdeprecated-macro -fno-deprecated-macro "
     "-f[no-]access-control -f[no-]aligned-allocation -f[no-]asm -f[no-]asm-blocks -f[no-]blocks -f[no-]borland-extensions -f[no-]builtin "
     "-f[no-]char8_t -f[no-]coroutines -f[no-]coro-aligned-allocation -f[no-]cxx-exceptions -f[no-]declspec -f[no-]define-target-os-macros "
     "-f[no-]delayed-template-parsing -f[no-]digraphs -f[no-]dollars-in-identifiers -f[no-]double-square-bracket-attributes -f[no-]elide-constructors "
     "-f[no-]exceptions -f[no-]fixed-point -ffreestanding -fhosted -f[no-]gnu-inline-asm -f[no-]gnu-keywords -f[no-]gnu89-inline "
     "-f[no-]ms-compatibility -f[no-]ms-extensions -f[no-]new-infallible -f[no-]operator-names -f[no-]pack-struct "
     "-f[no-]pascal-strings -f[no-]raw-string-literals -f[no-]relaxed-template-template-args -f[no-]rtti -f[no-]rtti-data -f[no-]short-enums "
     "-f[no-]short-wchar -fsigned-bitfields -funsigned-bitfields -f[no-]signed-char -funsigned-char -fno-unsigned-char -f[no-]signed-wchar "
     "-f[no-]sized-deallocation -f[no-]spell-checking -f[no-]threadsafe-statics -f[no-]trigraphs -fwritable-strings -fenable-matrix "
     "-f[no-]force-enable-int128 -f[no-]openmp -fopenmp= -fopenmp-version= -f[no-]openmp-simd"},
    // CUDA.
    {Use::Keep,
     "-f[no-]gpu-approx-transcendentals -f[no-]gpu-flush-denormals-to-zero -f[no-]gpu-rdc -f[no-]gpu-defer-diag "
     "-f[no-]gpu-exclude-wrong-side-overloads -f[no-]offload-implicit-host-device-templates -f[no-]cuda-short-ptr -fgpu-default-stream="},
    // Code generation.
    {Use::Keep,
     "-ffp-contract= -ffp-model= -ffp-eval-method= -ffp-exception-behavior= -fdenormal-fp-math= -fdenormal-fp-math-f32= -fexcess-precision= "
     "-fcomplex-arithmetic= -ftrivial-auto-var-init= -f[no-]approx-func -f[no-]associative-math -f[no-]assume-sane-operator-new -f[no-]convergent-functions "
     "-f[no-]cx-limited-range -f[no-]cx-fortran-rules -f[no-]delete-null-pointer-checks -f[no-]fast-math -f[no-]finite-loops -f[no-]finite-math-only "
     "-f[no-]honor-infinities -f[no-]honor-nans -fno-inline -f[no-]inline-functions -finline-hint-functions -f[no-]jump-tables -f[no-]math-errno "
     "-f[no-]merge-all-constants -f[no-]optimize-sibling-calls -f[no-]protect-parens -f[no-]reciprocal-math -f[no-]rounding-math -f[no-]signaling-math "
     "-f[no-]signed-zeros -f[no-]slp-vectorize -f[no-]strict-aliasing -f[no-]strict-enums -f[no-]strict-float-cast-overflow -f[no-]strict-overflow "
     "-f[no-]strict-return -f[no-]strict-vtable-pointers -f[no-]struct-path-tbaa -f[no-]pointer-tbaa -f[no-]trapping-math -ftrapv -f[no-]unroll-loops "
     "-f[no-]unsafe-math-optimizations -f[no-]vectorize -f[no-]wrapv -f[no-]zero-initialized-in-bss -default-function-attr"},
    // Target.
    {Use::Keep, "--target= -target-feature -target-sdk-version="},
    // What to make of the file, and where.
    {Use::Drop,
     "-c -S -E -emit-llvm -fsyntax-only -o -x -pipe -C -CC -P -Xcuda-ptxas -Xcuda-fatbinary -Xassembler -Wa, -Xarch_host --param "
     "--cuda-include-ptx= --no-cuda-include-ptx= --offload-arch= --no-offload-arch= --offload-device-only --offload-host-only --offload-host-device "
     "--cuda-noopt-device-debug --no-cuda-noopt-device-debug --offload-new-driver --no-offload-new-driver -cuid= -fuse-cuid= -foffload-lto= -fno-offload-lto "
     "-fgpu-sanitize -fno-gpu-sanitize -save-temps= -ftime-trace -ftime-trace-granularity= -ftime-trace-verbose -f[no-]save-optimization-record "
     "-fsave-optimization-record= -fstack-usage -canonical-prefixes -no-canonical-prefixes -Qunused-arguments --start-no-unused-arguments "
     "--end-no-unused-arguments -f[no-]integrated-as -f[no-]integrated-cc1 -fno-temp-file -arch -Qy -Qn -f[no-]use-line-directives -fuse-ld= "
     "-static-libgcc -static-libstdc++ -static-libsan -shared-libgcc -shared-libsan -nostdlib++ -nolibc -nodefaultlibs -no-pie -nopie -rtlib= "
     "-unwindlib= -dynamic -gpulibc -nogpulibc"},
    // Debugging, profiles, checks at run time.
    {Use::Drop,
     "-p -pg -f[no-]debug-info-for-profiling -f[no-]debug-macro -f[no-]debug-types-section -fdebug-default-version= -f[no-]debug-ranges-base-address "
     "-fdebug-compilation-dir= -ffile-compilation-dir= -fcoverage-compilation-dir= -fdebug-prefix-map= -ffile-prefix-map= -fmacro-prefix-map= "
     "-fcoverage-prefix-map= -f[no-]eliminate-unused-debug-types -f[no-]eliminate-unused-debug-symbols -f[no-]standalone-debug -f[no-]file-reproducible "
     "-f[no-]record-command-line -f[no-]split-dwarf-inlining -gcodeview -gno-codeview-command-line -gcodeview-command-line -f[no-]coverage-mapping "
     "-f[no-]coverage-mcdc -f[no-]profile-arcs -f[no-]test-coverage -f[no-]profile-generate -f[no-]profile-instr-generate -fcs-profile-generate "
     "-f[no-]profile-instr-use -f[no-]profile-sample-use -fprofile-update= -fcrash-diagnostics= -gen-reproducer= "
     "-fsanitize= -fno-sanitize= -fsanitize-recover= -fno-sanitize-recover= -fsanitize-trap= "
     "-fno-sanitize-trap= -fsanitize-coverage= -fno-sanitize-coverage= -fno-sanitize-memory-track-origins -fsanitize-memory-track-origins= "
     "-f[no-]sanitize-memory-use-after-dtor -f[no-]sanitize-address-use-after-scope -fsanitize-address-use-after-return= "
     "-f[no-]sanitize-address-use-odr-indicator -f[no-]sanitize-minimal-runtime -f[no-]sanitize-link-runtime -f[no-]sanitize-link-c++-runtime "
     "-fno-sanitize-ignorelist -f[no-]sanitize-cfi-cross-dso -f[no-]sanitize-stats -f[no-]xray-instrument "
     "-finstrument-functions -finstrument-function-entry-bare -finstrument-functions-after-inlining -fproc-stat-report"},
    // Messages of a compiler that nobody reads.
    {Use::Drop,
     "-H -ferror-limit= -ferror-limit -fmessage-length= -fmacro-backtrace-limit= -ftemplate-backtrace-limit= -fconstexpr-backtrace-limit= "
     "-fspell-checking-limit= -fcaret-diagnostics-max-lines= -f[no-]color-diagnostics -fdiagnostics-color= -fansi-escape-codes -f[no-]caret-diagnostics "
     "-fdiagnostics-absolute-paths -f[no-]diagnostics-fixit-info -fdiagnostics-format= -fdiagnostics-parseable-fixits -fdiagnostics-print-source-range-info "
     "-fdiagnostics-show-category= -f[no-]diagnostics-show-hotness -fdiagnostics-hotness-threshold= -f[no-]diagnostics-show-line-numbers "
     "-f[no-]diagnostics-show-note-include-stack -f[no-]diagnostics-show-option -fdiagnostics-show-template-tree -fno-elide-type -f[no-]show-column "
     "-f[no-]show-source-location -fshow-overloads= -ftabstop= -fparse-all-comments -fcomment-block-commands= -v -time -ftime-report -ftime-report="},
    // The machine code of the host, and how object files are laid out.
    {Use::Drop,
     "-f[no-]PIC -f[no-]PIE -f[no-]pic -f[no-]pie -f[no-]plt -f[no-]common -f[no-]data-sections -f[no-]function-sections "
     "-f[no-]stack-protector -fstack-protector-all -fstack-protector-strong -f[no-]stack-clash-protection -f[no-]stack-size-section -f[no-]split-stack "
     "-fcf-protection= -f[no-]unwind-tables -f[no-]asynchronous-unwind-tables -f[no-]omit-frame-pointer -fvisibility= "
     "-f[no-]visibility-inlines-hidden -f[no-]visibility-inlines-hidden-static-local-var -fvisibility-global-new-delete= -fvisibility-ms-compat "
     "-f[no-]semantic-interposition -fno-lto -flto= -flto-jobs= -f[no-]fat-lto-objects -f[no-]split-lto-unit "
     "-f[no-]unified-lto -f[no-]whole-program-vtables -f[no-]virtual-function-elimination -f[no-]addrsig -f[no-]emulated-tls -ftls-model= "
     "-f[no-]use-cxa-atexit -f[no-]use-init-array -f[no-]verbose-asm -f[no-]align-functions -falign-functions= -falign-loops= -fpatchable-function-entry= "
     "-fzero-call-used-regs= -f[no-]unique-section-names -f[no-]unique-internal-linkage-names -f[no-]separate-named-sections "
     "-f[no-]split-machine-functions -fbasic-block-sections= -f[no-]direct-access-external-data -f[no-]rtlib-defaultlib -f[no-]autolink "
     "-f[no-]keep-static-consts -f[no-]keep-persistent-storage-variables -f[no-]discard-value-names -f[no-]c++-static-destructors "
     "-f[no-]register-global-dtors-with-atexit -f[no-]assume-nothrow-exception-dtor -f[no-]assume-unique-vtables -fveclib="},
};

/// Groups of which every option is of one kind.
constexpr std::pair<options::ID, Use> kGroups[] = {
    {options::OPT_clang_ignored_f_Group, Use::Drop},
    {options::OPT_clang_ignored_gcc_optimization_f_Group, Use::Drop},
    {options::OPT_clang_ignored_m_Group, Use::Drop},
    {options::OPT_O_Group, Use::Keep},
    {options::OPT_W_Group, Use::Keep},
    {options::OPT_pedantic_Group, Use::Keep},
    {options::OPT_R_Group, Use::Drop},
    {options::OPT_m_Group, Use::Keep}, // features of the target: none has a file's name
    {options::OPT_M_Group, Use::Drop}, // dependency files
    {options::OPT_DebugInfo_Group, Use::Drop},
    {options::OPT_d_Group, Use::Drop},
    {options::OPT_Link_Group, Use::Drop},
};

/// Of the linker's options, those that name a program or a script of it.
constexpr StringRef kLinkerPrograms = "-specs= --ld-path= -Xoffload-linker -T";

template <class Each> void for_each_name(StringRef names, Each each) {
  while (!names.empty()) {
    const auto [name, rest] = names.split(' ');
    names = rest;
    constexpr StringRef kEither = "-f[no-]";
    if (name.starts_with(kEither)) {
      each("-f" + name.substr(kEither.size()).str());
      each("-fno-" + name.substr(kEither.size()).str());
    } else if (!name.empty()) {
      each(name.str());
    }
  }
}

const std::map<std::string, Use> &uses() {
  static const std::map<std::string, Use> table = [] {
    std::map<std::string, Use> made;
    for (const Family &family : kFamilies)
      for_each_name(family.names, [&](std::string name) { made.emplace(std::move(name), family.use); });
    for_each_name(kLinkerPrograms, [&](std::string name) { made.emplace(std::move(name), Use::Refuse); });
    return made;
  }();
  return table;
}

/// `option` is no alias.
Use use_of(const Option &option) {
  if (const auto known = uses().find(option.getPrefixedName().str()); known != uses().end())
    return known->second;
  for (const auto &[group, use] : kGroups)
    if (option.matches(group))
      return use;
  return Use::Refuse;
}

/// Words as an option table reads them.
class Reader {
public:
  Reader(const std::vector<std::string> &words, unsigned visibility) : visibility_(visibility) {
    for (const std::string &word : words)
      pointers_.push_back(word.c_str());
    list_ = std::make_unique<llvm::opt::InputArgList>(pointers_.data(), pointers_.data() + pointers_.size());
  }

  bool done() const { return at_ >= pointers_.size(); }
  std::size_t at() const { return at_; }
  /// The option at at(), which moves behind it; null, and done(), if its value is missing.
  std::unique_ptr<Arg> next() {
    auto arg = clang::driver::getDriverOptTable().ParseOneArg(*list_, at_, llvm::opt::Visibility(visibility_));
    return arg;
  }

private:
  std::vector<const char *> pointers_;
  std::unique_ptr<llvm::opt::InputArgList> list_;
  unsigned visibility_;
  unsigned at_ = 0;
};

/// What is meant for Clang's inner command line, and how it was said.
struct InnerWord {
  std::string text, said; ///< "-load"; "-Xclang -load"
  std::size_t from;
};

class Gate {
public:
  void judge(const std::vector<FlagWord> &words) {
    std::vector<std::string> texts;
    for (const FlagWord &word : words)
      texts.push_back(word.text);
    for (Reader reader(texts, options::ClangOption); !reader.done();) {
      const std::size_t begin = reader.at();
      const std::unique_ptr<Arg> arg = reader.next();
      const std::size_t end = arg ? reader.at() : texts.size();
      std::string said = texts[begin];
      for (std::size_t i = begin + 1; i < end; ++i)
        said += " " + texts[i];
      if (!arg) {
        unused(UnusedOption::Reason::NoValue, std::move(said), words[begin].from);
        continue;
      }
      const Option option = arg->getOption().getUnaliasedOption();
      switch (option.getID()) {
      case options::OPT_INPUT: continue; // a source file
      case options::OPT_UNKNOWN: unused(UnusedOption::Reason::Unknown, std::move(said), words[begin].from); continue;
      case options::OPT_Xclang:
      case options::OPT_Xpreprocessor:
        inner_.push_back({arg->getValue(), std::move(said), words[begin].from});
        continue;
      case options::OPT_Wp_COMMA:
        for (const char *value : arg->getValues())
          inner_.push_back({value, std::string("-Wp,") + value, words[begin].from});
        continue;
      case options::OPT__DASH_DASH: unused(UnusedOption::Reason::NotAllowed, "--", words[begin].from); continue;
      case options::OPT_Xarch_device: judge({{arg->getValue(), words[begin].from}}); continue;
      default: break;
      }
      switch (use_of(option)) {
      case Use::Keep:
        result_.words.insert(result_.words.end(), texts.begin() + static_cast<std::ptrdiff_t>(begin),
                             texts.begin() + static_cast<std::ptrdiff_t>(end));
        break;
      case Use::Drop: break;
      case Use::Refuse: unused(UnusedOption::Reason::NotAllowed, std::move(said), words[begin].from); break;
      }
    }
  }

  /// The driver hands these on in one piece, so they are read in one piece. Whoever writes them may take them for the driver's own.
  void judge_inner() {
    std::vector<std::string> texts;
    for (const InnerWord &word : inner_)
      texts.push_back(word.text);
    for (Reader reader(texts, options::ClangOption | options::CC1Option); !reader.done();) {
      const std::size_t begin = reader.at();
      const std::unique_ptr<Arg> arg = reader.next();
      const std::size_t end = arg ? reader.at() : texts.size();
      std::string said = inner_[begin].said;
      for (std::size_t i = begin + 1; i < end; ++i)
        said += " " + inner_[i].said;
      if (!arg) {
        unused(UnusedOption::Reason::NoValue, std::move(said), inner_[begin].from);
        continue;
      }
      const Option option = arg->getOption().getUnaliasedOption();
      if (option.getID() == options::OPT_INPUT)
        continue;
      const Option spelled = arg->getAlias() ? arg->getAlias()->getOption() : option;
      // -O4 is the driver's; without it Clang 19 reads a value that this option does not have.
      const bool of_inner = spelled.hasVisibilityFlag(options::CC1Option) && option.getID() != options::OPT_O4;
      const Use use = option.getID() == options::OPT_UNKNOWN ? Use::Refuse : use_of(option);
      if (use == Use::Keep && of_inner)
        for (std::size_t i = begin; i < end; ++i)
          result_.words.insert(result_.words.end(), {"-Xclang", texts[i]});
      else if (use != Use::Drop)
        unused(UnusedOption::Reason::NotAllowed, std::move(said), inner_[begin].from);
    }
  }

  AllowedOptions take() { return std::move(result_); }

private:
  void unused(UnusedOption::Reason reason, std::string text, std::size_t from) {
    result_.unused.push_back({reason, shortened(std::move(text)), from});
  }

  AllowedOptions result_;
  std::vector<InnerWord> inner_;
};

} // namespace

AllowedOptions allowed_options(const std::vector<FlagWord> &words) {
  Gate gate;
  gate.judge(words);
  gate.judge_inner();
  return gate.take();
}

std::size_t words_of_option(const std::vector<std::string> &words, std::size_t at) {
  constexpr std::size_t kMost = 8; // no option has as many
  const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
  const std::vector<std::string> rest(begin, begin + static_cast<std::ptrdiff_t>(std::min(kMost, words.size() - at)));
  Reader reader(rest, options::ClangOption);
  return reader.next() ? reader.at() : words.size() - at;
}

std::string shortened(std::string text) {
  constexpr std::size_t kMost = 200;
  return text.size() <= kMost ? std::move(text) : text.substr(0, kMost) + "...";
}

std::string_view what_is_allowed() {
  return "macros, include folders, the language, warnings, target features and code generation";
}

std::vector<std::string> stale_names() {
  const llvm::opt::OptTable &table = clang::driver::getDriverOptTable();
  std::map<std::string, Use> left = uses();
  for (unsigned id = 1; id <= table.getNumOptions(); ++id)
    if (const Option option = table.getOption(id); option.isValid() && !option.getAlias().isValid())
      left.erase(option.getPrefixedName().str());
  std::vector<std::string> names;
  for (const auto &[name, use] : left)
    names.push_back(name);
  return names;
}

} // namespace smem
