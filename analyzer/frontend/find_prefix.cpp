#include "frontend/find_prefix.h"

#include <utility>

#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/xxhash.h>

#include "frontend/build_prefix.h"
#include "frontend/prefix_invocation.h"

namespace smem {
namespace {

std::shared_ptr<const Prefix> keep(const std::string &key, const std::shared_ptr<clang::CompilerInvocation> &headers,
                                   const Continuation &after, PrefixStore &store, std::stop_token stop) {
  std::optional<Prefix> built;
  llvm::CrashRecoveryContext guard;
  if (!guard.RunSafely([&] { built = build_prefix(headers, after, stop); }))
    built.emplace(); // not tried again in this run
  return built ? store.keep(key, std::move(*built)) : nullptr;
}

/// Of all that decides it besides files that are known to be the same.
std::string key_of_longer(const clang::CompilerInvocation &headers, const Continuation &after) {
  std::string key = prefix_key(headers) + std::to_string(llvm::xxh3_64bits(after.base->tree()));
  for (const std::string &guard : after.guards)
    key += '#' + guard;
  return key;
}

/// Whether a source has begun like that before, in this run or an earlier one. To make a prefix takes as long as it saves once.
bool has_come_before(const std::string &key, const Prefix &base, PrefixStore &store) {
  const std::string note = key + " came";
  if (store.known(note, nullptr))
    return true;
  Prefix nothing;
  nothing.dependencies.read = {*base.dependencies.read.begin()};
  store.keep(note, std::move(nothing));
  return false;
}

} // namespace

std::shared_ptr<const Prefix> prefix_for(const clang::CompilerInvocation &unit, const LeadingHeaders &leading,
                                         bool precompile_leading, PrefixStore &store, std::stop_token stop) {
  const std::shared_ptr<clang::CompilerInvocation> headers = prefix_invocation(unit);
  if (!headers)
    return nullptr;
  const std::string key = prefix_key(*headers);
  std::shared_ptr<const Prefix> prefix = store.known(key, nullptr);
  if (!prefix)
    prefix = keep(key, headers, {}, store, stop);
  if (!prefix || !fits(*prefix, unit))
    return nullptr;
  if (const auto more = with_leading_headers(*headers, unit, leading.names)) {
    const Continuation after{prefix, last_prefix_header(unit), leading.guards};
    const std::string key_of_more = key_of_longer(*more, after);
    std::shared_ptr<const Prefix> longer = store.known(key_of_more, prefix);
    if (!longer && (precompile_leading || has_come_before(key_of_more, *prefix, store)))
      longer = keep(key_of_more, more, after, store, stop);
    if (longer && fits(*longer, unit))
      return longer;
  }
  return prefix;
}

} // namespace smem
