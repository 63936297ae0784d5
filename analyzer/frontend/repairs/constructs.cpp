#include "frontend/repairs/constructs.h"

#include <algorithm>
#include <utility>

#include <clang/Basic/DiagnosticSema.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "frontend/user_macros.h"

namespace smem {
namespace {

/// Whether there was something to rewrite.
bool patch(Progress &progress) {
  constexpr int kMostRounds = 4; // one construct can hide another
  PatchedSources &patched = progress.repairs.patched;
  if (patched.rounds == kMostRounds || !patch_sources(progress.attempt.errors, patched))
    return false;
  ++patched.rounds;
  return true;
}

/// Whether a type of texture or surface references is missed.
bool names_references(const SourceError &error) {
  const auto names = [&](const char *type) { return error.message.find(type) != std::string::npos; };
  if (error.id == clang::diag::err_no_template || error.id == clang::diag::err_no_template_suggest)
    return names("'texture'") || names("'surface'");
  return error.id == clang::diag::err_unknown_typename && (names("'textureReference'") || names("'surfaceReference'"));
}

void define(Progress &progress, const char *macro) {
  progress.arguments.insert(progress.arguments.begin(), std::string("-D") + macro);
}

} // namespace

Next ToleratedConstructs::after(Progress &progress) {
  if (before_ && !progress.result.ok)
    return Next::Done;
  before_.reset();
  if (!progress.result.ok || progress.leaves_out_bodies || !patch(progress))
    return Next::Step;
  before_ = std::move(progress.result);
  return Next::Again;
}

void ToleratedConstructs::finish(Progress &progress) {
  if (before_ && !progress.result.ok) // nothing was gained
    progress.result = std::move(*before_);
}

Next RefusedConstructs::after(Progress &progress) { return patch(progress) ? Next::Again : Next::Step; }

void RefusedConstructs::reword(Diagnostic &diagnostic, const Progress &progress) const {
  diagnostic.message = with_source_names(std::move(diagnostic.message), progress.repairs.patched.own_names);
}

Next TextureReferences::after(Progress &progress) {
  if (tried_)
    return Next::Step;
  const auto found = std::ranges::find_if(progress.attempt.errors, names_references);
  if (found == progress.attempt.errors.end())
    return Next::Step;
  tried_ = true;
  define(progress, "SMEM_LINT_TEXTURE_REFERENCES");
  progress.messages.push_back({Diagnostic::Severity::Note, place_of(*found),
                               "CUDA 12 removed texture and surface references: analysed with stand-ins for them"});
  return Next::Again;
}

Next FullPrelude::after(Progress &progress) {
  if (tried_ || !progress.options.toolkit.shipped)
    return Next::Step;
  tried_ = true;
  define(progress, "SMEM_LINT_FULL_PRELUDE");
  return Next::Again;
}

} // namespace smem
