#include "frontend/device_action.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/IR/Module.h>

#include "nvcc/lines/assignment_lines.h"
#include "nvcc/source_calls.h"
#include "frontend/access_alignment.h"
#include "frontend/constant_variables.h"
#include "frontend/debug_pragmas.h"
#include "frontend/device_code_budget.h"
#include "frontend/diagnostics.h"
#include "frontend/once_in_main_file.h"
#include "frontend/required_macros.h"
#include "syntax/ast_index.h"
#include "syntax/collect_array_uses.h"
#include "syntax/ir_names.h"
#include "support/paths.h"
#include "syntax/locations.h"
#include "syntax/source_bytes.h"

namespace smem {

namespace {

constexpr const char *kNoInstance = "its template cannot be instantiated";

/// Whether an error is one that what a header would have declared can be the cause of.
bool may_lack_header(std::string_view why) {
  constexpr std::array<std::string_view, 13> kNotThere{
      "undeclared",   "unknown type", "no type named",  "no member named", "no template named",
      "incomplete",   "not found",    "does not refer", "no matching",     "with errors",
      "instantiated", "expected",     "not a "};
  return std::ranges::any_of(kNotThere,
                             [&](std::string_view text) { return why.find(text) != std::string_view::npos; });
}

/// Runs behind the code generator: at the end of the translation unit the module is complete and not yet optimised, and
/// the syntax tree is still alive.
class DeviceConsumer : public clang::ASTConsumer {
public:
  /// What the consumers before this one found.
  struct Findings {
    const DiagnosticCollector &collector;
    const KernelMarks &marks;
    const AssumedTemplates &assumed;
    const std::vector<DroppedFunction> &dropped;
  };

  /// `bytes_before`: of the source that were read before this compilation.
  DeviceConsumer(clang::CompilerInstance &compiler, clang::CodeGenerator &generator, const Findings &findings,
                 const DeviceActionOptions &options, std::uint64_t bytes_before, DeviceActionResult &result)
      : compiler_(compiler), generator_(generator), findings_(findings), stated_(options.stated),
        foreign_(options.foreign), most_device_code_(options.max_device_code), bytes_before_(bytes_before),
        stop_(options.stop), result_(result) {}

  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *) override {
    findings_.collector.admit_tolerated(compiler_.getDiagnostics()); // the code generator has seen it
  }
  void HandleTranslationUnit(clang::ASTContext &context) override {
    result_.again = findings_.assumed.again;
    if (result_.again)
      return;
    result_.source_bytes = bytes_before_ + source_bytes(context.getSourceManager());
    if (const std::vector<SourceError> &errors = findings_.collector.errors(); !errors.empty()) {
      result_.skipped = find_required_macros(errors);
      std::ranges::move(find_skipped_declarations(findings_.marks.skipped(), undeclared_names(errors),
                                                  context.getSourceManager(), context.getLangOpts()),
                        std::back_inserter(result_.skipped));
    }
    const bool failed = compiler_.getDiagnostics().hasErrorOccurred();
    llvm::Module *module = failed ? nullptr : generator_.GetModule();
    const IrNames names(context, module ? &generator_ : nullptr, module);
    result_.index = build_source_index(context, names);
    for (const auto &[kernel, why] : findings_.assumed.kernels)
      if (const auto known = result_.index.kernels.find(names.name(llvm::cast<clang::NamedDecl>(kernel)));
          known != result_.index.kernels.end()) {
        known->second.made_up = true;
        std::tie(known->second.assumed, known->second.assumed_arguments) = std::tie(why.why, why.arguments);
      }
    result_.arrays = collect_array_uses(context, names);
    result_.launches = infer_launches(context, names, result_.source_bytes,
                                      stated_ ? stated_(result_.index) : std::vector<StatedLaunch>(), foreign_, stop_);
    for (UnitDefinition &kernel : result_.launches.unit.kernels)
      if (const auto known = result_.index.kernels.find(kernel.mangled); known != result_.index.kernels.end())
        kernel.assumed = !known->second.assumed.empty();
    for (const clang::FunctionDecl *kernel : declared_kernels(context))
      if (kernel->getDescribedFunctionTemplate())
        result_.kernel_templates.push_back(kernel->getQualifiedNameAsString());
    if (!module || stop_.stop_requested())
      return;
    report_left_out(context, names, *module);
    result_.module.reset(generator_.ReleaseModule());
    leave_out_device_code();
    attribute_assignments_as_nvcc(context, *result_.module);
  }

private:
  /// Instantiations beyond what is analysed of one file.
  void leave_out_device_code() {
    const auto definition_of = [&](const llvm::Function &function) {
      const auto kernel = result_.index.kernels.find(function.getName().str());
      return kernel == result_.index.kernels.end() ? std::string() : to_string(kernel->second.location);
    };
    for (const LeftOut &one : keep_within(*result_.module, most_device_code_, definition_of)) {
      const auto kernel = std::ranges::find_if(
          result_.index.kernels, [&](const auto &each) { return to_string(each.second.location) == one.definition; });
      result_.diagnostics.push_back(
          {Diagnostic::Severity::Error, kernel->second.location,
           std::to_string(one.instantiations) + " of " + std::to_string(one.of) +
               " instantiations of this kernel are not analysed: the file's device code has more than " +
               std::to_string(most_device_code_) + " instructions (--max-device-code)",
           /*incomplete=*/true});
    }
  }

  struct Called {
    const clang::FunctionDecl *declaration;
    llvm::Function *function;
  };

  /// A constructor is two functions.
  std::vector<Called> called_without_body(llvm::Module &module) const {
    std::vector<Called> found;
    for (llvm::Function &called : module)
      if (called.isDeclaration() && !called.use_empty())
        if (const auto *declaration =
                llvm::dyn_cast_or_null<clang::FunctionDecl>(generator_.GetDeclForMangledName(called.getName())))
          found.push_back({declaration, &called});
    return found;
  }

  bool is_dropped(const clang::FunctionDecl *function) const {
    return std::ranges::any_of(findings_.dropped, [&](const DroppedFunction &one) {
      return one.function->getCanonicalDecl() == function->getCanonicalDecl();
    });
  }

  /// A template's name alone where none of its instantiations is left; of one of several its arguments as well.
  std::string name_of(const DroppedFunction &dropped, const clang::ASTContext &context) const {
    const clang::FunctionTemplateDecl *pattern = dropped.function->getPrimaryTemplate();
    const bool one_of_several =
        pattern && llvm::any_of(pattern->specializations(), [&](const clang::FunctionDecl *other) {
          return other != dropped.function && other->isDefined() && !is_dropped(other);
        });
    std::string name;
    llvm::raw_string_ostream out(name);
    if (one_of_several)
      dropped.function->getNameForDiagnostic(out, context.getPrintingPolicy(), /*Qualified=*/false);
    else
      out << dropped.function->getNameAsString();
    return name;
  }

  /// An instantiation that Clang gave up for an error.
  static bool lacks_instance(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *pattern = function->getTemplateInstantiationPattern();
    return pattern && pattern->isDefined() && !function->isDefined() &&
           function->getTemplateSpecializationKind() != clang::TSK_ExplicitInstantiationDeclaration;
  }

  /// Functions whose brackets do not match: the nearest one with an error before the first of these kernels, and kernels among them.
  std::vector<UnbalancedBody> bodies_that_hide(const std::vector<clang::SourceLocation> &kernels,
                                               const clang::SourceManager &sources) const {
    constexpr std::size_t kMostTried = 20, kMostBodies = 200;
    const auto [file, first] = sources.getDecomposedLoc(kernels.front());
    const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    const std::optional<llvm::StringRef> text = sources.getBufferDataOrNone(file);
    std::vector<UnbalancedBody> bodies;
    if (!entry || !text)
      return bodies;
    const auto add = [&](std::optional<UnbalancedBody> body, const Diagnostic &error) {
      if (!body)
        return;
      body->path = entry->getName().str();
      body->error = error;
      bodies.push_back(std::move(*body));
    };
    const auto &errors = findings_.collector.tolerated();
    std::size_t tried = 0;
    for (auto error = errors.rbegin(); error != errors.rend() && tried < kMostTried && bodies.empty(); ++error) {
      const auto [where, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(error->place));
      if (where == file && offset < first && ++tried != 0)
        add(unbalanced_body(*text, offset, first), error->diagnostic);
    }
    for (std::size_t i = 0; i < kernels.size() && !bodies.empty() && bodies.size() < kMostBodies; ++i) {
      const auto [where, head] = sources.getDecomposedLoc(kernels[i]);
      if (where != file)
        continue;
      const std::size_t next = i + 1 < kernels.size() && sources.getFileID(kernels[i + 1]) == file
                                   ? sources.getFileOffset(kernels[i + 1])
                                   : text->size();
      add(unbalanced_body_of(*text, head, next),
          {Diagnostic::Severity::Error, to_location(kernels[i], sources), "its brackets do not match"});
    }
    return bodies;
  }

  /// Kernels and parts of kernels that are not in the module, and why.
  void report_left_out(clang::ASTContext &context, const IrNames &names, llvm::Module &module) {
    using Severity = Diagnostic::Severity;
    std::set<std::pair<SourceLocation, std::string>> said; // the instantiations of a template are left out alike
    const auto report = [&](Severity severity, const SourceLocation &place, std::string message) {
      if (said.emplace(place, message).second)
        result_.diagnostics.push_back({severity, place, std::move(message), /*incomplete=*/true});
    };
    const auto header_of = [&](const std::string &why) {
      return std::string(
          result_.inclusions.header_missing && may_lack_header(why) ? "needs a header that is not installed: " : "");
    };
    const std::vector<Called> called = called_without_body(module);
    for (const DroppedFunction &one : findings_.dropped) {
      const std::string name = name_of(one, context), header = header_of(one.why);
      if (one.function->hasAttr<clang::CUDAGlobalAttr>()) {
        report(Severity::Error, one.location,
               "kernel '" + name + "' " + (header.empty() ? "is not analysed: " : header) + one.why);
        continue;
      }
      bool is_called = false;
      for (const Called &each : called)
        if (each.declaration->getCanonicalDecl() == one.function->getCanonicalDecl()) {
          each.function->addFnAttr(kLeftOutBody);
          is_called = true;
        }
      if (is_called)
        report(Severity::Error, one.location,
               "device function '" + name + "' is left out of the kernels that call it: " + header + one.why);
    }
    if (!findings_.collector.tolerated().empty()) {
      std::set<const clang::Decl *> reported;
      for (const Called &one : called) {
        if (is_dropped(one.declaration) || !lacks_instance(one.declaration))
          continue;
        one.function->addFnAttr(kLeftOutBody);
        if (!reported.insert(one.declaration->getCanonicalDecl()).second)
          continue;
        report(Severity::Error, to_location(one.declaration->getLocation(), context.getSourceManager()),
               "device function '" + one.declaration->getNameAsString() +
                   "' is left out of the kernels that call it: " + header_of(kNoInstance) + kNoInstance);
      }
      ToleratedErrors errors = name_tolerated(context, findings_.collector, result_.inclusions.header_missing);
      std::ranges::copy_if(errors.diagnostics, std::back_inserter(result_.diagnostics), [&](const Diagnostic &error) {
        const auto first = said.lower_bound({error.location, std::string()});
        return !error.incomplete || first == said.end() || first->first != error.location; // a template of these
      });
      for (std::vector<HostLaunch> *launches : {&result_.launches.launches, &result_.launches.unit.launches})
        for (HostLaunch &launch : *launches)
          if (!errors.of_host.empty())
            launch.launch.assumptions.push_back({errors.of_host});
      for (const auto &[kernel, what] : errors.of_kernels)
        if (const auto known = result_.index.kernels.find(names.name(llvm::cast<clang::NamedDecl>(kernel)));
            known != result_.index.kernels.end() && known->second.assumed.empty())
          known->second.assumed = what;
      const std::vector<clang::SourceLocation> lost = findings_.marks.lost(context);
      result_.lost = lost.size();
      if (!lost.empty())
        result_.unbalanced = bodies_that_hide(lost, context.getSourceManager());
      for (const clang::SourceLocation place : lost)
        report(Severity::Error, to_location(place, context.getSourceManager()),
               "this kernel is not analysed: errors hide its declaration");
    }
    for (const Diagnostic &one : findings_.assumed.diagnostics) {
      const bool told =
          one.incomplete && std::ranges::any_of(result_.diagnostics, [&](const Diagnostic &other) {
            return other.incomplete && other.location == one.location && other.severity == Severity::Error;
          });
      if (!told) // as a kernel whose launch has an error
        result_.diagnostics.push_back(one);
    }
    if (!result_.index.kernels.empty())
      return;
    KernelMarks::Hidden hidden = findings_.marks.hidden(context);
    std::move(hidden.reasons.begin(), hidden.reasons.end(), std::back_inserter(result_.diagnostics));
    result_.asked_for = std::move(hidden.asked_for);
    result_.asking_line = hidden.line;
  }

  clang::CompilerInstance &compiler_;
  clang::CodeGenerator &generator_;
  const Findings findings_;
  const StatedLaunches &stated_;
  const ForeignCode &foreign_;
  const std::uint64_t most_device_code_;
  const std::uint64_t bytes_before_;
  std::stop_token stop_;
  DeviceActionResult &result_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> DeviceAction::CreateASTConsumer(clang::CompilerInstance &compiler,
                                                                    llvm::StringRef file) {
  std::uint64_t bytes_before = 0;
  instantiations_.most = options_.max_instantiations;
  if (const Prefix *prefix = options_.prefix.get()) {
    later_ = later_predefines(compiler.getPreprocessor().getPredefines(), options_.last_of_prefix);
    if (!later_)
      return nullptr;
    bytes_before = prefix->source_bytes + later_->left_out;
    instantiations_.begun = prefix->instantiations;
  }
  clang::CodeGenerator *generator = clang::CreateLLVMCodeGen(
      compiler.getDiagnostics(), file, compiler.getFileManager().getVirtualFileSystemPtr(),
      compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(), context_);
  ignore_debug_pragmas(compiler.getPreprocessor());
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  watch_inclusions(compiler, collector_, options_.headers, result_.inclusions, options_.own_headers, options_.tolerant);
  marks_.watch(compiler);
  honour_once_in_main_file(compiler.getPreprocessor());
  define_in_user_files(compiler.getPreprocessor(), options_.user_file_macros, result_.asks_for_nvcc);
  consumers.push_back(make_instantiation_budget(instantiations_, options_.stop));
  consumers.push_back(make_host_error_consumer(compiler, collector_, dropped_));
  consumers.push_back(make_access_alignment_consumer(compiler.getASTContext()));
  consumers.push_back(make_constant_variable_consumer(compiler.getASTContext()));
  consumers.push_back(make_template_assumer(compiler, collector_, instantiations_, trials_, assumed_));
  consumers.emplace_back(generator);
  consumers.push_back(std::make_unique<DeviceConsumer>(compiler, *generator,
                                                       DeviceConsumer::Findings{collector_, marks_, assumed_, dropped_},
                                                       options_, bytes_before, result_));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

void DeviceAction::ExecuteAction() {
  result_.parsed = true;
  if (later_) // in place of what Clang's reader suggests: what this compilation has and the prefix's had not
    getCompilerInstance().getPreprocessor().setPredefines(later_->text);
  ASTFrontendAction::ExecuteAction();
}

} // namespace smem
