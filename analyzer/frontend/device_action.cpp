#include "frontend/device_action.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <llvm/IR/Module.h>

#include "frontend/assignment_places.h"
#include "frontend/cast_alignment.h"
#include "frontend/instantiation_budget.h"
#include "frontend/libdevice.h"
#include "frontend/missing_headers.h"
#include "frontend/optimise.h"
#include "frontend/structure_copies.h"
#include "frontend/vector_copies.h"
#include "source/ast_index.h"
#include "source/collect_array_uses.h"
#include "source/ir_names.h"

namespace smem {

namespace {

/// Runs behind the code generator: at the end of the translation unit the module is complete and not yet optimised, and
/// the syntax tree is still alive.
class DeviceConsumer : public clang::ASTConsumer {
public:
  DeviceConsumer(clang::CompilerInstance &compiler, clang::CodeGenerator &generator, DeviceActionResult &result)
      : compiler_(compiler), generator_(generator), result_(result) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    const bool failed = compiler_.getDiagnostics().hasErrorOccurred();
    llvm::Module *module = failed ? nullptr : generator_.GetModule();
    const IrNames names(context, module ? &generator_ : nullptr, module);
    result_.index = build_source_index(context, names);
    result_.arrays = collect_array_uses(context, names);
    result_.launches = infer_launches(context, names);
    if (!module)
      return;
    result_.module.reset(generator_.ReleaseModule());
    place_assignments_as_nvcc(context, *result_.module);
    copy_vectors_as_nvcc(*result_.module);
    copy_structures_as_nvcc(*result_.module);
    describe_libdevice(*result_.module);
    optimise_as_nvcc(*result_.module, compiler_.getCodeGenOpts());
    place_vector_copies_as_nvcc(*result_.module);
    split_structures_as_nvcc(*result_.module);
  }

private:
  clang::CompilerInstance &compiler_;
  clang::CodeGenerator &generator_;
  DeviceActionResult &result_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> DeviceAction::CreateASTConsumer(clang::CompilerInstance &compiler,
                                                                    llvm::StringRef file) {
  clang::CodeGenerator *generator = clang::CreateLLVMCodeGen(
      compiler.getDiagnostics(), file, compiler.getFileManager().getVirtualFileSystemPtr(),
      compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(), context_);
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  watch_inclusions(compiler, collector_, headers_, result_.diagnostics);
  consumers.push_back(make_instantiation_budget(max_instantiations_));
  consumers.push_back(make_host_error_consumer(compiler, collector_, result_.diagnostics));
  consumers.push_back(make_cast_alignment_consumer(compiler.getASTContext()));
  consumers.emplace_back(generator);
  consumers.push_back(std::make_unique<DeviceConsumer>(compiler, *generator, result_));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

} // namespace smem
