#include "frontend/use_prefix.h"

#include <algorithm>

#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "frontend/prefix_invocation.h"

namespace smem {
namespace {

/// What Clang knows prefixes as, those that go on from another and others; no such files exist.
constexpr const char *kLongerTree = "/smem-lint/longer.pch", *kPrefixTree = "/smem-lint/prefix.pch";

std::string include_of(std::string_view header) { return std::string("#include \"").append(header).append("\"\n"); }

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> begin_with(const Prefix &prefix, clang::CompilerInvocation &unit,
                                                           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  clang::PreprocessorOptions &preprocessor = unit.getPreprocessorOpts();
  preprocessor.ImplicitPCHInclude = prefix.base ? kLongerTree : kPrefixTree;
  unit.getLangOpts().Modules = false; // as in prefix_invocation()
  // Flags and headers are the same, or the prefix would not have been found.
  preprocessor.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;
  auto tree = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const Prefix &one, const char *name) {
    tree->addFileNoOwn(name, 0, llvm::MemoryBufferRef(one.tree(), name));
  };
  add(prefix, preprocessor.ImplicitPCHInclude.c_str());
  if (prefix.base)
    add(*prefix.base, kPrefixTree);
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(files));
  both->pushOverlay(std::move(tree));
  return both;
}

std::optional<LaterPredefines> later_predefines(std::string_view predefines, const std::string &last) {
  // What Clang has written for the precompiled header itself stands for nothing that would be there without it.
  const std::string own = include_of(kPrefixSource);
  std::string all(predefines);
  if (const std::size_t at = all.find(own); at != std::string::npos)
    all.erase(at, own.size());
  const std::string include = include_of(last);
  const std::size_t at = all.rfind(include);
  if (at == std::string::npos)
    return std::nullopt;
  const std::size_t end = at + include.size();
  // Messages about what follows name its line, which Clang counts from the end of the macros on.
  constexpr std::string_view kAfterMacros = "# 1 \"<built-in>\" 2\n";
  const std::size_t marker = all.rfind(kAfterMacros, at);
  const std::size_t first = marker == std::string::npos ? 0 : marker + kAfterMacros.size();
  const auto line = 1 + std::ranges::count(std::string_view(all).substr(first, end - first), '\n');
  LaterPredefines later;
  later.text = "# " + std::to_string(line) + " \"<built-in>\"\n" + all.substr(end);
  later.left_out = all.size() - later.text.size();
  return later;
}

} // namespace smem
