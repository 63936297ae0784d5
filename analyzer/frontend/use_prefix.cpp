#include "frontend/use_prefix.h"

#include <algorithm>

#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "frontend/build_prefix.h"
#include "frontend/prefix_invocation.h"

namespace smem {
namespace {

/// What Clang knows the prefix as; no such file exists.
constexpr const char *kPrefixTree = "/smem-lint/prefix.pch";

std::string include_of(std::string_view header) { return std::string("#include \"").append(header).append("\"\n"); }

/// What the store has, or what is made of these headers where that is wanted.
std::shared_ptr<const Prefix> stored(const std::shared_ptr<clang::CompilerInvocation> &headers,
                                     const std::vector<std::string> &guards, bool build, PrefixStore &store,
                                     std::stop_token stop) {
  std::string key = prefix_key(*headers);
  for (const std::string &guard : guards)
    key += "#" + guard;
  if (std::shared_ptr<const Prefix> known = store.known(key); known || !build)
    return known;
  std::optional<Prefix> built;
  llvm::CrashRecoveryContext guard;
  if (!guard.RunSafely([&] { built = build_prefix(headers, guards, stop); }))
    built.emplace(); // not tried again in this run
  return built ? store.keep(key, std::move(*built)) : nullptr;
}

} // namespace

std::shared_ptr<const Prefix> prefix_for(const clang::CompilerInvocation &unit, const LeadingHeaders &leading,
                                         bool precompile_leading, PrefixStore &store, std::stop_token stop) {
  const std::shared_ptr<clang::CompilerInvocation> headers = prefix_invocation(unit);
  if (!headers)
    return nullptr;
  if (const auto longer = with_leading_headers(*headers, unit, leading.names))
    if (std::shared_ptr<const Prefix> prefix = stored(longer, leading.guards, precompile_leading, store, stop);
        prefix && fits(*prefix, unit))
      return prefix;
  std::shared_ptr<const Prefix> prefix = stored(headers, {}, /*build=*/true, store, stop);
  return prefix && fits(*prefix, unit) ? prefix : nullptr;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> begin_with(const Prefix &prefix, clang::CompilerInvocation &unit,
                                                           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  clang::PreprocessorOptions &preprocessor = unit.getPreprocessorOpts();
  preprocessor.ImplicitPCHInclude = kPrefixTree;
  unit.getLangOpts().Modules = false; // as in prefix_invocation()
  // Flags and headers are the same, or the prefix would not have been found.
  preprocessor.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;
  auto tree = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  tree->addFileNoOwn(kPrefixTree, 0, llvm::MemoryBufferRef(prefix.tree(), kPrefixTree));
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
