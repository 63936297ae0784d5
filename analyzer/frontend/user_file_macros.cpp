#include "frontend/user_file_macros.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include "support/paths.h"

namespace smem {
namespace {

/// The libraries that come with the toolkit, wherever a project has a copy of them.
bool is_toolkit_library(std::string_view path) {
  constexpr std::array<std::string_view, 6> kFolders{"/thrust/", "/cub/",        "/cuda/std/",
                                                     "/nv/",     "/libcudacxx/", "/cooperative_groups/"};
  for (const std::string_view folder : kFolders)
    if (path.find(folder) != std::string_view::npos)
      return true;
  return false;
}

class UserFileWatcher : public clang::PPCallbacks {
public:
  UserFileWatcher(clang::Preprocessor &preprocessor, const UserFileMacros &macros, bool &asked)
      : preprocessor_(preprocessor), macros_(macros), nvcc_(preprocessor.getIdentifierInfo("__NVCC__")),
        device_(preprocessor.getIdentifierInfo("__device__")), asked_(asked) {}

  void FileChanged(clang::SourceLocation place, FileChangeReason, clang::SrcMgr::CharacteristicKind kind,
                   clang::FileID) override {
    const bool users = !clang::SrcMgr::isSystem(kind) && is_users(place);
    if (users == in_users_)
      return;
    in_users_ = users;
    if (macros_.nvcc)
      define_nvcc(place);
    if (macros_.host_of_device)
      define_device(place);
  }

  void Ifdef(clang::SourceLocation, const clang::Token &name, const clang::MacroDefinition &) override { ask(name); }
  void Ifndef(clang::SourceLocation, const clang::Token &name, const clang::MacroDefinition &) override { ask(name); }
  void Defined(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange) override { ask(name); }
  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange,
                    const clang::MacroArgs *) override {
    ask(name);
  }

private:
  bool is_users(clang::SourceLocation place) const {
    const clang::SourceManager &sources = preprocessor_.getSourceManager();
    const clang::FileID file = sources.getFileID(place);
    if (file == sources.getMainFileID())
      return true;
    const std::string path = "/" + sources.getFilename(place).str();
    return sources.getFileEntryRefForID(file).has_value() && !looks_like_toolkit(path) && !is_toolkit_library(path);
  }

  void define_nvcc(clang::SourceLocation place) {
    if (in_users_ ? preprocessor_.isMacroDefined(nvcc_) : !defined_) // by the user
      return;
    if (in_users_) {
      if (!one_) {
        one_ = preprocessor_.AllocateMacroInfo(place);
        clang::Token token;
        token.startToken();
        token.setKind(clang::tok::numeric_constant);
        preprocessor_.CreateString("1", token, place, place);
        one_->setTokens({token}, preprocessor_.getPreprocessorAllocator());
        one_->setDefinitionEndLoc(token.getLocation());
      }
      preprocessor_.appendDefMacroDirective(nvcc_, one_, place);
    } else {
      preprocessor_.appendMacroDirective(nvcc_, new (preprocessor_.getPreprocessorAllocator())
                                                    clang::UndefMacroDirective(place));
    }
    defined_ = in_users_;
  }

  void define_device(clang::SourceLocation place) {
    clang::MacroInfo *const both =
        preprocessor_.getMacroInfo(preprocessor_.getIdentifierInfo("SMEM_LINT_HOST_OF_DEVICE"));
    clang::MacroInfo *const now = preprocessor_.getMacroInfo(device_);
    if (!both || !now || (now != both && now != of_headers_ && of_headers_)) // not there yet, or the user's own
      return;
    if (now != both)
      of_headers_ = now;
    if (clang::MacroInfo *const wanted = in_users_ ? both : of_headers_; wanted && wanted != now)
      preprocessor_.appendDefMacroDirective(device_, wanted, place);
  }

  void ask(const clang::Token &name) { asked_ |= defined_ && name.getIdentifierInfo() == nvcc_; }

  clang::Preprocessor &preprocessor_;
  const UserFileMacros macros_;
  clang::IdentifierInfo *const nvcc_, *const device_;
  clang::MacroInfo *one_ = nullptr, *of_headers_ = nullptr;
  bool in_users_ = false, defined_ = false;
  bool &asked_;
};

} // namespace

void define_in_user_files(clang::Preprocessor &preprocessor, const UserFileMacros &macros, bool &asked) {
  if (macros.nvcc || macros.host_of_device)
    preprocessor.addPPCallbacks(std::make_unique<UserFileWatcher>(preprocessor, macros, asked));
}

} // namespace smem
