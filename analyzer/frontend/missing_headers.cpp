#include "frontend/missing_headers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/FormatVariadic.h>

#include "frontend/diagnostics.h"
#include "source/paths.h"

namespace smem {
namespace {

namespace fs = std::filesystem;

/// Folders end in a slash.
constexpr std::array<std::string_view, 44> kHostFrameworks{
    "ATen/",     "EGL/",     "FreeImage",   "GL/",       "GLES3/",  "GLFW/",   "GLUT/",   "Python.h", "SDL",      "X11/",   "absl/",
    "benchmark/", "c10/",    "caffe2/",     "catch2/",   "cudnn",   "cv.h",    "fmt/",    "gflags/",  "glog/",    "gmock/", "gtest/",
    "hdf5.h",    "highgui.h", "jni.h",      "jpeglib.h", "mex.h",   "mpi.h",   "nccl.h",  "numpy/",   "nvml.h",   "omp.h",  "opencv/",
    "opencv2/",  "paddle/",  "papi.h",      "png.h",     "pybind11/", "spdlog/", "tensorflow/", "tiffio.h", "torch/", "vulkan/", "yaml-cpp/"};

/// How far the search for a header goes.
constexpr std::size_t kMaxEntries = 20'000;
constexpr int kMaxDepth = 6, kMaxAncestors = 6;

bool lies_in(std::string_view path, const std::string &folder) {
  return !folder.empty() && path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// The outermost folder that is still the file's project: where version control begins, else a few levels up.
fs::path project_of(const fs::path &file) {
  std::error_code error;
  fs::path folder = file.parent_path(), top = folder;
  for (int i = 0; i < kMaxAncestors && folder != folder.root_path(); ++i, folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error))
      return folder;
    if (fs::exists(folder / "CMakeLists.txt", error) || fs::exists(folder / "Makefile", error))
      top = folder;
  }
  return top;
}

class InclusionWatcher : public clang::PPCallbacks {
public:
  InclusionWatcher(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                   std::vector<Diagnostic> &sink)
      : compiler_(compiler), collector_(collector), stand_ins_(headers.empty() ? headers : normalise_path(headers + "/host")), sink_(sink) {}

  bool FileNotFound(llvm::StringRef name) override { return is_host_framework(name); }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &, llvm::StringRef name, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    if (file) {
      const bool from_outside = !lies_in(normalise_path(sources.getFilename(hash).str()), stand_ins_);
      if (from_outside && lies_in(normalise_path(file->getName().str()), stand_ins_))
        report(Diagnostic::Severity::Note, hash, "<" + name.str() + "> is not installed; host code is followed by a stand-in for it");
      return;
    }
    if (is_host_framework(name)) {
      report(Diagnostic::Severity::Warning, hash, "<" + name.str() + "> is not installed; kernels are analysed without it");
      collector_.tolerate_errors(compiler_.getDiagnostics(), hash);
    } else {
      const std::string folder = find_include_folder(sources.getFilename(hash).str(), name.str());
      const std::string header = llvm::formatv("'{0}' is in ", name);
      report(Diagnostic::Severity::Note, hash,
             folder.empty() ? header + "no folder of this project: `-- -IFOLDER` names its folder, `-p DIR` the build's compile_commands.json"
                            : header + folder + ": `-- -I" + folder + "` would find it");
    }
  }

private:
  void report(Diagnostic::Severity severity, clang::SourceLocation place, std::string message) {
    const bool repeated = std::any_of(sink_.begin(), sink_.end(), [&](const Diagnostic &other) { return other.message == message; });
    if (!repeated)
      sink_.push_back({severity, to_location(place, compiler_.getSourceManager()), std::move(message)});
  }

  clang::CompilerInstance &compiler_;
  DiagnosticCollector &collector_;
  std::string stand_ins_;
  std::vector<Diagnostic> &sink_;
};

/// Whether some expression refers to what could not be declared; of such a declaration only itself was an error.
bool contains_errors(const clang::Stmt *statement) {
  if (!statement)
    return false;
  if (const auto *expression = llvm::dyn_cast<clang::Expr>(statement); expression && expression->containsErrors())
    return true;
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl *declaration : declarations->decls())
      if (declaration->isInvalidDecl())
        return true;
  return std::any_of(statement->child_begin(), statement->child_end(), contains_errors);
}

class HostErrorConsumer : public clang::ASTConsumer {
public:
  HostErrorConsumer(clang::CompilerInstance &compiler, const DiagnosticCollector &collector, std::vector<Diagnostic> &sink)
      : compiler_(compiler), collector_(collector), sink_(sink) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (!collector_.tolerated().empty())
      for (clang::Decl *declaration : group)
        visit(declaration);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override {
    if (!collector_.tolerated().empty())
      visit(function);
  }

private:
  /// Templates come again as their instantiations.
  void visit(clang::Decl *declaration) {
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      if (!function->isDependentContext() && function->doesThisDeclarationHaveABody())
        check(function);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(declaration)) {
      for (clang::Decl *member : llvm::cast<clang::DeclContext>(declaration)->decls())
        visit(member);
    }
  }

  void check(clang::FunctionDecl *function) {
    const bool kernel = function->hasAttr<clang::CUDAGlobalAttr>();
    if (!kernel && !function->hasAttr<clang::CUDADeviceAttr>())
      return;
    const clang::SourceManager &sources = compiler_.getSourceManager();
    const clang::SourceLocation begin = sources.getExpansionLoc(function->getBeginLoc()), end = sources.getExpansionLoc(function->getEndLoc());
    for (const DiagnosticCollector::Tolerated &error : collector_.tolerated()) {
      const clang::SourceLocation place = sources.getExpansionLoc(error.place);
      if (place.isInvalid() || sources.isBeforeInTranslationUnit(place, begin) || sources.isBeforeInTranslationUnit(end, place))
        continue;
      drop(function, kernel, error.diagnostic.location, error.diagnostic.message);
      return;
    }
    const bool wrong_parameter = std::any_of(function->param_begin(), function->param_end(), [](const clang::ParmVarDecl *parameter) {
      return parameter->isInvalidDecl() || parameter->getType()->isDependentType();
    });
    if (wrong_parameter || contains_errors(function->getBody()))
      drop(function, kernel, to_location(begin, sources), "it uses a declaration with errors");
  }

  void drop(clang::FunctionDecl *function, bool kernel, const SourceLocation &place, const std::string &why) {
    function->setBody(nullptr);
    if (kernel)
      sink_.push_back({Diagnostic::Severity::Error, place,
                       "kernel '" + function->getNameAsString() + "' needs a header that is not installed: " + why});
  }

  clang::CompilerInstance &compiler_;
  const DiagnosticCollector &collector_;
  std::vector<Diagnostic> &sink_;
};

} // namespace

bool is_host_framework(std::string_view header) {
  return std::any_of(kHostFrameworks.begin(), kHostFrameworks.end(), [&](std::string_view name) { return header.starts_with(name); });
}

std::string find_include_folder(const std::string &file, const std::string &header) {
  const std::string wanted = "/" + header;
  std::error_code error;
  std::size_t entries = 0;
  std::string best;
  fs::recursive_directory_iterator at(project_of(normalise_path(file)), fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end && ++entries < kMaxEntries; at.increment(error)) {
    std::error_code ignored;
    if (at.depth() > kMaxDepth || at->path().filename().native().starts_with("."))
      at.disable_recursion_pending();
    const std::string path = at->path().string();
    if (!path.ends_with(wanted) || !at->is_regular_file(ignored))
      continue;
    // The order of a directory is no one's: the shortest path, then the first by name.
    std::string folder = path.substr(0, path.size() - wanted.size());
    if (best.empty() || std::pair{folder.size(), folder} < std::pair{best.size(), best})
      best = std::move(folder);
  }
  return best;
}

void watch_inclusions(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                      std::vector<Diagnostic> &sink) {
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<InclusionWatcher>(compiler, collector, headers, sink));
}

std::unique_ptr<clang::ASTConsumer> make_host_error_consumer(clang::CompilerInstance &compiler, const DiagnosticCollector &collector,
                                                             std::vector<Diagnostic> &sink) {
  return std::make_unique<HostErrorConsumer>(compiler, collector, sink);
}

} // namespace smem
