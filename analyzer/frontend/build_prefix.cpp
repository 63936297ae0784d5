#include "frontend/build_prefix.h"

#include <cstdint>
#include <vector>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Serialization/ASTWriter.h>

#include "frontend/debug_pragmas.h"
#include "frontend/dependencies.h"
#include "frontend/instantiation_budget.h"
#include "frontend/regular_files.h"
#include "syntax/source_bytes.h"

namespace smem {
namespace {

/// Bytes of a local file, with the one after its end.
std::uint64_t bytes_of(clang::FileID file, const clang::SourceManager &sources) {
  return file.isValid() ? std::uint64_t{sources.getFileIDSize(file)} + 1 : 0;
}

/// Looks at the tree before it is written.
class PrefixMeasure : public clang::ASTConsumer {
public:
  PrefixMeasure(clang::CompilerInstance &compiler, Prefix &prefix, bool &system_only)
      : compiler_(compiler), prefix_(prefix), system_only_(system_only) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    const clang::SourceManager &sources = context.getSourceManager();
    const clang::FileID source = sources.getMainFileID(),
                        predefines = compiler_.getPreprocessor().getPredefinesFileID();
    const std::uint64_t before = sources.getLocForStartOfFile(source).getRawEncoding();
    prefix_.source_bytes = source_bytes(sources) - before - bytes_of(source, sources) - bytes_of(predefines, sources);
    for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
      const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
      if (entry.isFile() && entry.getFile().getContentCache().OrigEntry &&
          entry.getFile().getContentCache().OrigEntry != sources.getFileEntryRefForID(source))
        system_only_ &= clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic());
    }
  }

private:
  clang::CompilerInstance &compiler_;
  Prefix &prefix_;
  bool &system_only_;
};

class PrefixAction : public clang::ASTFrontendAction {
public:
  PrefixAction(Prefix &prefix, std::stop_token stop) : prefix_(prefix), stop_(std::move(stop)) {}

  bool system_only = true;
  const std::shared_ptr<clang::PCHBuffer> written = std::make_shared<clang::PCHBuffer>();

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    ignore_debug_pragmas(compiler.getPreprocessor());
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    // A unit that allows fewer does without the prefix.
    consumers.push_back(make_instantiation_budget(prefix_.instantiations, UINT64_MAX, stop_));
    consumers.push_back(std::make_unique<PrefixMeasure>(compiler, prefix_, system_only));
    // Its headers are known by their contents: what has only been touched is the same.
    consumers.push_back(std::make_unique<clang::PCHGenerator>(
        compiler.getPreprocessor(), compiler.getModuleCache(), /*OutputFile=*/"", /*isysroot=*/"", written,
        compiler.getFrontendOpts().ModuleFileExtensions, /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

private:
  Prefix &prefix_;
  std::stop_token stop_;
};

} // namespace

std::optional<Prefix> build_prefix(const std::shared_ptr<clang::CompilerInvocation> &headers, std::stop_token stop) {
  std::optional<Prefix> prefix(std::in_place);
  clang::IgnoringDiagConsumer silence; // with an error there is no prefix, and the unit says what is wrong
  PrefixAction action(*prefix, stop);
  bool whole = false;
  {
    clang::CompilerInstance compiler;
    compiler.setInvocation(headers);
    compiler.createDiagnostics(&silence, /*ShouldOwnClient=*/false);
    compiler.createFileManager(regular_files());
    compiler.addDependencyCollector(make_dependency_collector(*prefix));
    whole = compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred();
  } // with the syntax tree, before there is a second copy of what was written
  if (stop.stop_requested())
    return std::nullopt;
  if (whole && action.system_only && action.written->IsComplete)
    prefix->bytes.assign(action.written->Data.begin(), action.written->Data.end());
  return prefix;
}

} // namespace smem
