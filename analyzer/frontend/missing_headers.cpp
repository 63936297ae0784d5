#include "frontend/missing_headers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include "frontend/diagnostics.h"
#include "support/paths.h"
#include "syntax/locations.h"

namespace smem {
namespace {

namespace fs = std::filesystem;

/// Folders end in a slash.
constexpr std::array<std::string_view, 45> kHostFrameworks{
    "ATen/",  "EGL/",    "FreeImage", "GL/",        "GLES3/",      "GLFW/",    "GLUT/",     "Python.h", "SDL",
    "THC/",   "X11/",    "absl/",     "benchmark/", "c10/",        "caffe2/",  "catch2/",   "cudnn",    "cv.h",
    "fmt/",   "gflags/", "glog/",     "gmock/",     "gtest/",      "hdf5.h",   "highgui.h", "jni.h",    "jpeglib.h",
    "mex.h",  "mpi.h",   "nccl.h",    "numpy/",     "nvml.h",      "omp.h",    "opencv/",   "opencv2/", "paddle/",
    "papi.h", "png.h",   "pybind11/", "spdlog/",    "tensorflow/", "tiffio.h", "torch/",    "vulkan/",  "yaml-cpp/"};

/// ATen/, c10/, THC/ and torch/ are one framework, with one stand-in.
constexpr const char *kPyTorch = "PyTorch";

/// How far the search for a header goes.
constexpr std::size_t kMaxEntries = 20'000;
constexpr int kMaxDepth = 6, kMaxAncestors = 6;

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

/// The folder of a header of a host framework, or the header itself.
std::string framework_of(const std::string &header) {
  const std::size_t slash = header.find('/');
  return slash == std::string::npos ? header : header.substr(0, slash + 1);
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
    const std::string header = name.str();
    if (file) {
      const bool from_outside = !lies_in(normalise_path(sources.getFilename(hash).str()), stand_ins_);
      if (from_outside && lies_in(normalise_path(file->getName().str()), stand_ins_)) {
        inclusions_.framework_missing = true;
        report(Missing::StandIn, has_stand_in(header) ? kPyTorch : framework_of(header), header, hash);
      }
      return;
    }
    if (is_host_framework(header)) {
      inclusions_.framework_missing = true;
      if (has_stand_in(header))
        inclusions_.replaceable.insert(header);
      report(Missing::Framework, framework_of(header), header, hash);
      collector_.tolerate_errors(compiler_.getDiagnostics(), hash);
    } else {
      const std::string folder = find_include_folder(sources.getFilename(hash).str(), header);
      report(folder.empty() ? Missing::Nowhere : Missing::InFolder, folder, header, hash);
    }
  }

private:
  enum class Missing { StandIn, Framework, InFolder, Nowhere };
  /// The headers that one message is about: those of a folder.
  struct Group {
    std::size_t message = 0; ///< of `sink_`
    std::string first;
    std::set<std::string> headers;
  };

  /// `first` and how many more.
  static std::string text(Missing missing, const std::string &folder, const std::string &first, std::size_t more) {
    const std::string others =
        more == 0 ? std::string() : " and " + std::to_string(more) + " more " + (more == 1 ? "header" : "headers");
    const bool framework = missing == Missing::StandIn || missing == Missing::Framework;
    const bool named = folder.ends_with("/") || folder == kPyTorch;
    const std::string of = more != 0 && named ? " of " + folder : std::string();
    const std::string subject =
        (framework ? "<" + first + ">" + others + of : "'" + first + "'" + others) + (more == 0 ? " is " : " are ");
    const std::string them = more == 0 ? "it" : "them";
    switch (missing) {
    case Missing::StandIn: return subject + "not installed; host code is followed by a stand-in for " + them;
    case Missing::Framework: return subject + "not installed; kernels are analysed without " + them;
    case Missing::InFolder: return subject + "in " + folder + ": `-- -I" + folder + "` would find " + them;
    case Missing::Nowhere: break;
    }
    return subject + "in no folder of this project: `-- -IFOLDER` names " + (more == 0 ? "its" : "their") +
           " folder, `-p DIR` the build's compile_commands.json";
  }

  void report(Missing missing, const std::string &folder, const std::string &header, clang::SourceLocation place) {
    const auto [entry, fresh] = groups_.try_emplace({missing, folder});
    Group &group = entry->second;
    if (!fresh) {
      if (group.headers.insert(header).second) {
        const std::size_t more = group.headers.size() - 1;
        sink_[group.message].message = text(missing, folder, group.first, more);
      }
      return;
    }
    group = {sink_.size(), header, {header}};
    sink_.push_back({missing == Missing::Framework ? Diagnostic::Severity::Warning : Diagnostic::Severity::Note,
                     to_location(place, compiler_.getSourceManager()), text(missing, folder, header, 0)});
  }

  clang::CompilerInstance &compiler_;
  DiagnosticCollector &collector_;
  std::string stand_ins_;
  std::vector<Diagnostic> &sink_;
  Inclusions &inclusions_;
  const bool tolerant_;
  std::map<std::pair<Missing, std::string>, Group> groups_;
};

} // namespace

bool is_host_framework(std::string_view header) {
  return std::any_of(kHostFrameworks.begin(), kHostFrameworks.end(),
                     [&](std::string_view name) { return header.starts_with(name); });
}

bool has_stand_in(std::string_view header) {
  return header.starts_with("ATen/") || header.starts_with("c10/") || header.starts_with("torch/") ||
         header.starts_with("THC/");
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
