#include "frontend/missing_headers.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include "frontend/diagnostics.h"
#include "frontend/project_headers.h"
#include "support/paths.h"
#include "syntax/locations.h"

namespace smem {
namespace {

/// Folders end in a slash.
constexpr std::array<std::string_view, 45> kHostFrameworks{
    "ATen/",  "EGL/",    "FreeImage", "GL/",        "GLES3/",      "GLFW/",    "GLUT/",     "Python.h", "SDL",
    "THC/",   "X11/",    "absl/",     "benchmark/", "c10/",        "caffe2/",  "catch2/",   "cudnn",    "cv.h",
    "fmt/",   "gflags/", "glog/",     "gmock/",     "gtest/",      "hdf5.h",   "highgui.h", "jni.h",    "jpeglib.h",
    "mex.h",  "mpi.h",   "nccl.h",    "numpy/",     "nvml.h",      "omp.h",    "opencv/",   "opencv2/", "paddle/",
    "papi.h", "png.h",   "pybind11/", "spdlog/",    "tensorflow/", "tiffio.h", "torch/",    "vulkan/",  "yaml-cpp/"};

/// ATen/, c10/, THC/ and torch/ are one framework, with one stand-in.
constexpr const char *kPyTorch = "PyTorch";

/// The folder of a header of a host framework, or the header itself.
std::string framework_of(const std::string &header) {
  const std::size_t slash = header.find('/');
  return slash == std::string::npos ? header : header.substr(0, slash + 1);
}

class InclusionWatcher : public clang::PPCallbacks {
public:
  InclusionWatcher(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                   std::vector<Diagnostic> &sink, Inclusions &inclusions, const OwnHeaders &own, bool tolerant)
      : compiler_(compiler), collector_(collector),
        stand_ins_(headers.empty() ? headers : normalise_path(headers + "/host")), sink_(sink), inclusions_(inclusions),
        own_(own), tolerant_(tolerant) {}

  void FileChanged(clang::SourceLocation place, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    if (tolerant_ && reason == EnterFile && sources.getFileID(place) == sources.getMainFileID())
      collector_.tolerate_errors(compiler_.getDiagnostics(), sources.getLocForStartOfFile(sources.getMainFileID()));
  }

  bool FileNotFound(llvm::StringRef name) override { return own_.skip || is_host_framework(name); }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &, llvm::StringRef name, bool,
                          clang::CharSourceRange written, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool, clang::SrcMgr::CharacteristicKind) override {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    const std::string header = name.str();
    if (file) {
      const std::string path = normalise_path(file->getName().str());
      inclusions_.has_pytorch |= header.starts_with("c10/") && !lies_in(path, stand_ins_);
      if (lies_in(path, stand_ins_) && !lies_in(normalise_path(sources.getFilename(hash).str()), stand_ins_)) {
        inclusions_.header_missing = true;
        report(Missing::StandIn, has_stand_in(header) ? kPyTorch : framework_of(header), header, hash);
      } else if (lies_in(path, kFoundHeaders)) {
        const std::string &found = own_.found.at(header);
        report(Missing::Taken, seen_from_here(found.substr(0, found.size() - header.size() - 1)), header, hash);
      }
    } else if (is_host_framework(header)) {
      inclusions_.header_missing = true;
      if (has_stand_in(header))
        inclusions_.replaceable.insert(header);
      report(Missing::Framework, framework_of(header), header, hash);
      collector_.tolerate_errors(compiler_.getDiagnostics(), hash);
    } else {
      own_is_missing(header, hash, written.getBegin());
    }
  }

private:
  enum class Missing { StandIn, Framework, Taken, InFolder, Nowhere };

  void own_is_missing(const std::string &header, clang::SourceLocation hash, clang::SourceLocation name) {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    const HeaderInProject found = find_in_project(sources.getFilename(hash).str(), header);
    if (own_.search && !found.file.empty())
      inclusions_.in_project.emplace(header, found.file);
    if (own_.skip) {
      inclusions_.header_missing = true;
      if (inclusions_.skipped.insert(header).second)
        sink_.push_back({Diagnostic::Severity::Error, to_location(name, sources), "'" + header + "' file not found"});
      collector_.tolerate_errors(compiler_.getDiagnostics(), hash);
    }
    report(found.folder.empty() ? Missing::Nowhere : Missing::InFolder, found.folder, header, hash);
  }

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
    case Missing::Taken:
      return subject + "taken from " + folder + ": this project has no other " +
             (more == 0 ? "file of that name" : "files of these names");
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
  const OwnHeaders &own_;
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

void watch_inclusions(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                      std::vector<Diagnostic> &sink, Inclusions &inclusions, const OwnHeaders &own, bool tolerant) {
  compiler.getPreprocessor().addPPCallbacks(
      std::make_unique<InclusionWatcher>(compiler, collector, headers, sink, inclusions, own, tolerant));
}

} // namespace smem
