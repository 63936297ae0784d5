// Collects the launches that the interpreter meets.
#pragma once

#include <set>
#include <vector>

#include "launches/launches.h"
#include "launches/value.h"

namespace clang {
class Expr;
} // namespace clang

namespace smem {

class IrNames;

/// A launch as evaluated, before it is put into plain data.
struct MetLaunch {
  const clang::Expr *site = nullptr;
  const clang::FunctionDecl *kernel = nullptr;
  Value grid, block; ///< dim3
  Value shared;
  std::vector<Value> arguments;
};

class LaunchRecorder {
public:
  LaunchRecorder(clang::ASTContext &context, const IrNames &names) : context_(context), names_(names) {}

  void record(const MetLaunch &launch);

  /// Statements are tried without meaning it.
  void mute() { ++muted_; }
  void unmute() { --muted_; }
  /// What follows does not happen in the default run.
  void enter_unreached() { ++unreached_; }
  void leave_unreached() { --unreached_; }

  bool empty() const { return launches_.empty(); }
  bool has_seen(const clang::Expr *site) const;
  void clear();

  /// Launches that the default run makes, and of the others those of sites that it does not reach.
  HostLaunches take();

private:
  struct Entry {
    const clang::Expr *site;
    HostLaunch launch;
  };

  HostLaunch describe(const MetLaunch &met) const;
  void flatten(const Value &value, clang::QualType type, std::uint32_t index, std::uint64_t offset,
               const std::string &name, HostLaunch &host) const;

  clang::ASTContext &context_;
  const IrNames &names_;
  std::vector<Entry> launches_;
  std::set<const clang::Expr *> cut_off_; ///< sites with more launches than are kept
  unsigned muted_ = 0, unreached_ = 0;
};

} // namespace smem
