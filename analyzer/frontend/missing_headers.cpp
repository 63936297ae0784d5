#include "frontend/missing_headers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/FormatVariadic.h>

#include "frontend/diagnostics.h"
#include "support/paths.h"
#include "syntax/locations.h"

namespace smem {
namespace {

namespace fs = std::filesystem;

/// Folders end in a slash.
constexpr std::array<std::string_view, 44> kHostFrameworks{
    "ATen/",   "EGL/",      "FreeImage",  "GL/",         "GLES3/",   "GLFW/",     "GLUT/",    "Python.h",  "SDL",
    "X11/",    "absl/",     "benchmark/", "c10/",        "caffe2/",  "catch2/",   "cudnn",    "cv.h",      "fmt/",
    "gflags/", "glog/",     "gmock/",     "gtest/",      "hdf5.h",   "highgui.h", "jni.h",    "jpeglib.h", "mex.h",
    "mpi.h",   "nccl.h",    "numpy/",     "nvml.h",      "omp.h",    "opencv/",   "opencv2/", "paddle/",   "papi.h",
    "png.h",   "pybind11/", "spdlog/",    "tensorflow/", "tiffio.h", "torch/",    "vulkan/",  "yaml-cpp/"};

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
                   std::vector<Diagnostic> &sink, Inclusions &inclusions, bool tolerant)
      : compiler_(compiler), collector_(collector),
        stand_ins_(headers.empty() ? headers : normalise_path(headers + "/host")), sink_(sink), inclusions_(inclusions),
        tolerant_(tolerant) {}

  void FileChanged(clang::SourceLocation place, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    if (tolerant_ && reason == EnterFile && sources.getFileID(place) == sources.getMainFileID())
      collector_.tolerate_errors(compiler_.getDiagnostics(), sources.getLocForStartOfFile(sources.getMainFileID()));
  }

  bool FileNotFound(llvm::StringRef name) override { return is_host_framework(name); }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &, llvm::StringRef name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef,
                          const clang::Module *, bool, clang::SrcMgr::CharacteristicKind) override {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    if (file) {
      const bool from_outside = !lies_in(normalise_path(sources.getFilename(hash).str()), stand_ins_);
      if (from_outside && lies_in(normalise_path(file->getName().str()), stand_ins_)) {
        inclusions_.framework_missing = true;
        report(Diagnostic::Severity::Note, hash,
               "<" + name.str() + "> is not installed; host code is followed by a stand-in for it");
      }
      return;
    }
    if (is_host_framework(name)) {
      inclusions_.framework_missing = true;
      if (has_stand_in(name.str()))
        inclusions_.replaceable.insert(name.str());
      report(Diagnostic::Severity::Warning, hash,
             "<" + name.str() + "> is not installed; kernels are analysed without it");
      collector_.tolerate_errors(compiler_.getDiagnostics(), hash);
    } else {
      const std::string folder = find_include_folder(sources.getFilename(hash).str(), name.str());
      const std::string header = llvm::formatv("'{0}' is in ", name);
      report(
          Diagnostic::Severity::Note, hash,
          folder.empty()
              ? header +
                    "no folder of this project: `-- -IFOLDER` names its folder, `-p DIR` the build's compile_commands.json"
              : header + folder + ": `-- -I" + folder + "` would find it");
    }
  }

private:
  void report(Diagnostic::Severity severity, clang::SourceLocation place, std::string message) {
    const bool repeated =
        std::any_of(sink_.begin(), sink_.end(), [&](const Diagnostic &other) { return other.message == message; });
    if (!repeated)
      sink_.push_back({severity, to_location(place, compiler_.getSourceManager()), std::move(message)});
  }

  clang::CompilerInstance &compiler_;
  DiagnosticCollector &collector_;
  std::string stand_ins_;
  std::vector<Diagnostic> &sink_;
  Inclusions &inclusions_;
  const bool tolerant_;
};

} // namespace

bool is_host_framework(std::string_view header) {
  return std::any_of(kHostFrameworks.begin(), kHostFrameworks.end(),
                     [&](std::string_view name) { return header.starts_with(name); });
}

bool has_stand_in(std::string_view header) {
  return header.starts_with("ATen/") || header.starts_with("c10/") || header.starts_with("torch/");
}

std::string find_include_folder(const std::string &file, const std::string &header) {
  const std::string wanted = "/" + header;
  std::error_code error;
  std::size_t entries = 0;
  std::string best;
  fs::recursive_directory_iterator at(project_of(normalise_path(file)), fs::directory_options::skip_permission_denied,
                                      error),
      end;
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
                      std::vector<Diagnostic> &sink, Inclusions &inclusions, bool tolerant) {
  compiler.getPreprocessor().addPPCallbacks(
      std::make_unique<InclusionWatcher>(compiler, collector, headers, sink, inclusions, tolerant));
}

} // namespace smem
