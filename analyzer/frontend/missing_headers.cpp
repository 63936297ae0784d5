#include "frontend/missing_headers.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include "frontend/diagnostics.h"
#include "support/paths.h"
#include "syntax/locations.h"

namespace smem {
namespace {

/// Folders end in a slash. The toolkit's libraries for host code are among them, as a machine may lack the toolkit.
constexpr auto kHostFrameworks = std::to_array<std::string_view>({"ATen/",
                                                                  "EGL/",
                                                                  "FreeImage",
                                                                  "GL/",
                                                                  "GLES3/",
                                                                  "GLFW/",
                                                                  "GLUT/",
                                                                  "Python.h",
                                                                  "SDL",
                                                                  "THC/",
                                                                  "X11/",
                                                                  "absl/",
                                                                  "benchmark/",
                                                                  "boost/",
                                                                  "c10/",
                                                                  "caffe2/",
                                                                  "catch2/",
                                                                  "cublasXt.h",
                                                                  "cudaEGL.h",
                                                                  "cudaGL.h",
                                                                  "cudaVDPAU.h",
                                                                  "cuda_d3d",
                                                                  "cuda_gl_interop.h",
                                                                  "cudnn",
                                                                  "cufft",
                                                                  "cusolver",
                                                                  "cusparse",
                                                                  "cutensor.h",
                                                                  "cv.h",
                                                                  "cxxopts",
                                                                  "doctest/",
                                                                  "fftw3",
                                                                  "fmt/",
                                                                  "gdal",
                                                                  "gflags/",
                                                                  "glog/",
                                                                  "gmock/",
                                                                  "gpu/mxGPUArray.h",
                                                                  "gtest/",
                                                                  "hdf5.h",
                                                                  "highgui.h",
                                                                  "imgui",
                                                                  "jni.h",
                                                                  "jpeglib.h",
                                                                  "mex.h",
                                                                  "mpi.h",
                                                                  "nccl.h",
                                                                  "netcdf",
                                                                  "nlohmann/",
                                                                  "npp.h",
                                                                  "nppi",
                                                                  "npps.h",
                                                                  "numpy/",
                                                                  "nvJitLink.h",
                                                                  "nvgraph.h",
                                                                  "nvjpeg",
                                                                  "nvml.h",
                                                                  "nvrtc.h",
                                                                  "omp.h",
                                                                  "opencv/",
                                                                  "opencv2/",
                                                                  "paddle/",
                                                                  "papi.h",
                                                                  "png.h",
                                                                  "pybind11/",
                                                                  "rapidjson/",
                                                                  "spdlog/",
                                                                  "stb_image",
                                                                  "tbb/",
                                                                  "tensorflow/",
                                                                  "tiffio.h",
                                                                  "tmwtypes.h",
                                                                  "torch/",
                                                                  "vtk",
                                                                  "vulkan/",
                                                                  "yaml-cpp/",
                                                                  "zlib.h"});

/// ATen/, c10/, THC/ and torch/ are one framework, with one stand-in.
constexpr const char *kPyTorch = "PyTorch";

/// The folder of a header of a host framework, or the header itself.
std::string framework_of(const std::string &header) {
  if (stand_in_for(header) == StandIn::PyTorch)
    return kPyTorch;
  const std::size_t slash = header.find('/');
  return slash == std::string::npos ? header : header.substr(0, slash + 1);
}

class InclusionWatcher : public clang::PPCallbacks {
public:
  InclusionWatcher(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                   Inclusions &inclusions, const OwnHeaders &own, bool tolerant)
      : compiler_(compiler), collector_(collector),
        stand_ins_(headers.empty() ? headers : normalise_path(headers + "/host")), inclusions_(inclusions), own_(own),
        tolerant_(tolerant) {}

  void FileChanged(clang::SourceLocation place, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    if (tolerant_ && reason == EnterFile && sources.getFileID(place) == sources.getMainFileID())
      collector_.tolerate_errors(compiler_.getDiagnostics(), sources.getLocForStartOfFile(sources.getMainFileID()));
  }

  bool FileNotFound(llvm::StringRef name) override {
    conclude_embedded();
    // All that lexes files is a Lexer; Clang has no cast for it.
    auto *lexer = static_cast<clang::Lexer *>(compiler_.getPreprocessor().getCurrentFileLexer());
    embedded_.emplace(name.str(), lexer ? lexer->getSourceLocation().getLocWithOffset(-1) : clang::SourceLocation());
    return true;
  }
  void EndOfMainFile() override { conclude_embedded(); }

  void HasInclude(clang::SourceLocation, llvm::StringRef name, bool, clang::OptionalFileEntryRef file,
                  clang::SrcMgr::CharacteristicKind) override {
    const std::string header = plain_header_name(name.str());
    inclusions_.asked.insert(header);
    if (file || own_.found.empty() || is_host_framework(header))
      return;
    const clang::SourceManager &sources = compiler_.getSourceManager();
    if (!in_project(header, sources.getLocForStartOfFile(sources.getMainFileID())).folder.empty())
      assume("'" + header + "', which is asked for, is not found");
  }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &word, llvm::StringRef name, bool,
                          clang::CharSourceRange written, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool, clang::SrcMgr::CharacteristicKind) override {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    const std::string header = name.str();
    embedded_.reset();
    if (file) {
      const std::string path = normalise_path(file->getName().str());
      inclusions_.has_pytorch |= header == "c10/macros/Macros.h" && !lies_in(path, stand_ins_);
      if (lies_in(path, stand_ins_) && !lies_in(normalise_path(sources.getFilename(hash).str()), stand_ins_)) {
        inclusions_.header_missing = true;
        report(Missing::StandIn, framework_of(header), header, hash);
        return;
      }
      if (!lies_in(path, kFoundHeaders))
        return;
      const std::string plain = path.substr(kFoundHeaders.size() + 1);
      if (const auto entry = own_.found.find(plain); entry != own_.found.end()) {
        const HeaderInProject &found = entry->second;
        report(found.only ? Missing::Taken : Missing::Chosen, seen_from_here(found.folder), plain, hash);
        assume("'" + plain + "' is " + seen_from_here(found.file));
        inclusions_.chosen |= !found.only;
        return;
      }
      if (const auto implied = own_.implied.find(plain);
          implied != own_.implied.end() && said_implied_.insert(plain).second) {
        std::string names;
        for (const std::string &one : implied->second)
          names += (names.empty() ? "<" : ", <") + one + ">";
        inclusions_.messages.push_back({Diagnostic::Severity::Note, to_location(hash, sources),
                                        names + (implied->second.size() == 1 ? " is" : " are") +
                                            " included in place of '" + header + "': names of " +
                                            (implied->second.size() == 1 ? "it" : "theirs") + " are used"});
      }
    }
    if (is_host_framework(header) &&
        (stand_in_for(header) == StandIn::PyTorch || in_project(plain_header_name(header), hash).file.empty())) {
      is_missing(header);
      if (stand_in_for(header) != StandIn::None)
        inclusions_.replaceable.insert(header);
      report(Missing::Framework, framework_of(header), header, hash);
      collector_.tolerate_errors(compiler_.getDiagnostics(), hash);
    } else {
      own_is_missing(header, hash, written.getBegin(),
                     word.getIdentifierInfo() &&
                         word.getIdentifierInfo()->getPPKeywordID() == clang::tok::pp_include_next);
    }
  }

private:
  enum class Missing { StandIn, Framework, Taken, Chosen, InFolder, InFolders, Generated, Nowhere };

  /// A file that is not found and that no `#include` names is one of `#embed`, of which there is no other word.
  void conclude_embedded() {
    if (!embedded_)
      return;
    auto [name, place] = *std::exchange(embedded_, std::nullopt);
    std::erase_if(name, [](char c) { return c == '"' || c == '<' || c == '>'; }); // as it is written
    skip(name, place, "'" + name + "' file not found");
  }

  void is_missing(const std::string &header) {
    inclusions_.header_missing = true;
    if (inclusions_.first_missing.empty() && !inclusions_.asked.contains(plain_header_name(header)))
      inclusions_.first_missing = plain_header_name(header);
  }

  void skip(const std::string &name, clang::SourceLocation place, const std::string &message) {
    inclusions_.header_missing = true;
    if (inclusions_.skipped.insert(name).second)
      inclusions_.messages.push_back({Diagnostic::Severity::Error, to_location(place, compiler_.getSourceManager()),
                                      message, /*incomplete=*/true});
    assume("'" + name + "', which is not found, changes nothing");
  }

  HeaderInProject in_project(const std::string &plain, clang::SourceLocation from) const {
    return own_.project ? own_.project->find(plain, compiler_.getSourceManager().getFilename(from).str())
                        : HeaderInProject();
  }

  void assume(const std::string &what) {
    if (inclusions_.assumed_headers.empty())
      inclusions_.assumed_headers = what;
  }

  void own_is_missing(const std::string &header, clang::SourceLocation hash, clang::SourceLocation name, bool next) {
    const clang::SourceManager &sources = compiler_.getSourceManager();
    const std::string plain = plain_header_name(header);
    const std::string unopened = collector_.take_unopened();
    const HeaderInProject found = unopened.empty() ? in_project(plain, hash) : HeaderInProject();
    if (own_.search && !next && !found.file.empty() &&
        found.file !=
            normalise_path(sources.getFilename(hash).str())) // a header of that name wraps the one that is meant
      inclusions_.in_project.emplace(plain, found);
    const Missing missing = found.folder.empty() ? Missing::Nowhere
                            : found.file.empty() ? Missing::InFolders
                                                 : Missing::InFolder;
    is_missing(header);
    skip(header, name, unopened.empty() ? "'" + header + "' file not found" : unopened);
    collector_.tolerate_errors(compiler_.getDiagnostics(), hash);
    if (!unopened.empty())
      return;
    const HeaderInProject pattern =
        missing == Missing::Nowhere && !plain.empty() ? in_project(plain + ".in", hash) : HeaderInProject();
    if (pattern.folder.empty())
      report(missing, found.folder, header, hash);
    else
      report(Missing::Generated, seen_from_here(pattern.folder), header, hash);
  }

  /// The headers that one message is about: those of a folder.
  struct Group {
    std::size_t message = 0; ///< of Inclusions::messages
    std::string first;
    std::set<std::string> headers;
  };

  /// `first` and how many more.
  std::string text(Missing missing, const std::string &folder, const std::string &first, std::size_t more) const {
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
    case Missing::Chosen: return subject + "taken from " + folder + ", the nearest of several in this project";
    case Missing::InFolder: return subject + "in " + folder + ": `-- -I" + folder + "` would find " + them;
    case Missing::InFolders:
      return subject + "in " + folder + " and elsewhere: `-- -I" + folder + "` would find " +
             (more == 0 ? "that one" : "those");
    case Missing::Generated:
      return subject + "made by the build, from " + (more == 0 ? "the pattern" : "patterns") + " in " + folder +
             ": `-- -IFOLDER` names where, `-p DIR` the build's compile_commands.json";
    case Missing::Nowhere: break;
    }
    const std::vector<std::string> absent =
        own_.project ? own_.project->absent_submodules() : std::vector<std::string>();
    const std::string of_git =
        absent.empty() ? std::string()
                       : ", whose submodule" + std::string(absent.size() == 1 ? " " : "s ") + absent.front() +
                             (absent.size() == 1 ? " is" : " and " + std::to_string(absent.size() - 1) + " more are") +
                             " not checked out (`git submodule update --init`)";
    return subject + "in no folder of this project" + of_git + ": `-- -IFOLDER` names " +
           (more == 0 ? "its" : "their") + " folder, `-p DIR` the build's compile_commands.json";
  }

  void report(Missing missing, const std::string &folder, const std::string &header, clang::SourceLocation place) {
    const auto [entry, fresh] = groups_.try_emplace({missing, folder});
    Group &group = entry->second;
    if (!fresh) {
      if (group.headers.insert(header).second) {
        const std::size_t more = group.headers.size() - 1;
        inclusions_.messages[group.message].message = text(missing, folder, group.first, more);
      }
      return;
    }
    group = {inclusions_.messages.size(), header, {header}};
    inclusions_.messages.push_back(
        {missing == Missing::Framework ? Diagnostic::Severity::Warning : Diagnostic::Severity::Note,
         to_location(place, compiler_.getSourceManager()), text(missing, folder, header, 0)});
  }

  clang::CompilerInstance &compiler_;
  DiagnosticCollector &collector_;
  std::string stand_ins_;
  Inclusions &inclusions_;
  const OwnHeaders &own_;
  const bool tolerant_;
  std::optional<std::pair<std::string, clang::SourceLocation>>
      embedded_; ///< a file that was not found, until its directive is known
  std::map<std::pair<Missing, std::string>, Group> groups_;
  std::set<std::string> said_implied_;
};

} // namespace

bool is_host_framework(std::string_view header) {
  return std::any_of(kHostFrameworks.begin(), kHostFrameworks.end(),
                     [&](std::string_view name) { return header.starts_with(name); });
}

StandIn stand_in_for(std::string_view header) {
  for (const std::string_view folder : {"ATen/", "c10/", "torch/", "THC/"})
    if (header.starts_with(folder))
      return StandIn::PyTorch;
  for (const std::string_view folder : {"glog/", "absl/log/"})
    if (header.starts_with(folder))
      return StandIn::Logging;
  return StandIn::None;
}

void watch_inclusions(clang::CompilerInstance &compiler, DiagnosticCollector &collector, const std::string &headers,
                      Inclusions &inclusions, const OwnHeaders &own, bool tolerant) {
  compiler.getPreprocessor().addPPCallbacks(
      std::make_unique<InclusionWatcher>(compiler, collector, headers, inclusions, own, tolerant));
}

} // namespace smem
