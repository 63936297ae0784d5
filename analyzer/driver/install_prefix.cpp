#include "driver/install_prefix.h"

#include "archive/prefix_cache.h"
#include "driver/conclude.h"
#include "driver/output.h"
#include "frontend/frontend.h"
#include "smem/architecture.h"

#include <memory>
#include <string>
#include <sys/stat.h>
#include <utility>

namespace smem {
namespace {

/// Knows whether the front end got a prefix out of a store.
class Watched : public PrefixStore {
public:
  explicit Watched(PrefixStore &store) : store_(store) {}
  bool has_any = false;

  std::shared_ptr<const Prefix> known(const std::string &key, const std::shared_ptr<const Prefix> &base) override {
    return note(store_.known(key, base));
  }
  std::shared_ptr<const Prefix> keep(const std::string &key, Prefix prefix) override {
    return note(store_.keep(key, std::move(prefix)));
  }

private:
  std::shared_ptr<const Prefix> note(std::shared_ptr<const Prefix> prefix) {
    has_any |= prefix && !prefix->tree().empty();
    return prefix;
  }

  PrefixStore &store_;
};

} // namespace

int install_prefix(const DriverOptions &options) {
  const InstalledFolder folder = installed_prefixes();
  if (folder.path.empty()) {
    complain("--build-prefix: there is no folder for what comes with this program");
    return kFailure;
  }
  ::umask(S_IWGRP | S_IWOTH); // what others can write is not read
  PrefixCache cache(folder);
  if (!cache.refusal().empty()) {
    complain("--build-prefix: " + cache.refusal());
    return kFailure;
  }
  Watched store(cache);
  FrontendOptions frontend;
  frontend.file = "nothing.cu";
  frontend.contents.emplace();
  frontend.toolkit = find_toolkit(options.cuda_path);
  frontend.compiler_flags = options.flags_before;
  if (options.fixed_flags)
    frontend.compiler_flags.insert(frontend.compiler_flags.end(), options.fixed_flags->begin(),
                                   options.fixed_flags->end());
  frontend.target = target_of(options.architecture.empty() ? "sm_90" : options.architecture);
  frontend.architecture = find_architecture(frontend.target);
  frontend.prefixes = &store;
  run_frontend(frontend);
  if (const std::string remark = cache.remark(); !remark.empty() || !store.has_any) {
    complain("--build-prefix: " + (remark.empty() ? "these headers cannot be precompiled" : remark));
    return kFailure;
  }
  if (!options.quiet)
    remark("note: precompiled for all who run this program: the headers of " +
           (frontend.toolkit.shipped ? std::string("smem-lint itself") : "'" + frontend.toolkit.root + "'") + ", in '" +
           folder.path + "'");
  return kClean;
}

} // namespace smem
