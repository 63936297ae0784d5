#include "frontend/repairs/constructs.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include <clang/Basic/DiagnosticSema.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "frontend/user_macros.h"

namespace smem {
namespace {

/// Whether there was something to rewrite.
/// Functions that CUDA had without underscores (earlier_names.h).
constexpr std::array kEarlierFunctions{"all",
                                       "any",
                                       "ballot",
                                       "dadd",
                                       "dmul",
                                       "double2int",
                                       "double2ll",
                                       "double2uint",
                                       "double2ull",
                                       "dsub",
                                       "float2int",
                                       "float2ll",
                                       "float2uint",
                                       "float2ull",
                                       "float_as_int",
                                       "int2double",
                                       "int2float",
                                       "int_as_float",
                                       "ll2double",
                                       "ll2float",
                                       "mul24",
                                       "mul64hi",
                                       "mulhi",
                                       "saturate",
                                       "syncthreads",
                                       "syncthreads_and",
                                       "syncthreads_count",
                                       "syncthreads_or",
                                       "threadfence",
                                       "uint2double",
                                       "uint2float",
                                       "ull2double",
                                       "ull2float",
                                       "umul24",
                                       "umul64hi",
                                       "umulhi"};

/// What CUB had before CCCL 3.0, which comes with CUDA 13.
constexpr std::array kEarlierOfCub{"ConstantInputIterator",
                                   "CountingInputIterator",
                                   "Difference",
                                   "DiscardOutputIterator",
                                   "Division",
                                   "Equality",
                                   "Inequality",
                                   "Max",
                                   "Min",
                                   "Sum",
                                   "TransformInputIterator"};

/// The name of what CUDA has dropped, if that is what an error misses.
std::string earlier_name(const SourceError &error) {
  const std::size_t open = error.message.find('\''), close = error.message.find('\'', open + 1);
  if (open == std::string::npos || close == std::string::npos)
    return {};
  const std::string name = error.message.substr(open + 1, close - open - 1);
  if (error.message.substr(close).starts_with("' in namespace 'thrust'"))
    return name == "unary_function" || name == "binary_function" ? "thrust_" + name : std::string();
  if (error.message.substr(close).starts_with("' in namespace 'cub'"))
    return std::ranges::find(kEarlierOfCub, name) != kEarlierOfCub.end() ? "cub_" + name : std::string();
  switch (error.id) {
  case clang::diag::err_no_template:
  case clang::diag::err_no_template_suggest: return name == "texture" || name == "surface" ? name : std::string();
  case clang::diag::err_unknown_typename:
  case clang::diag::err_unknown_typename_suggest:
    return name == "textureReference" || name == "surfaceReference" ? name : std::string();
  case clang::diag::err_undeclared_var_use:
  case clang::diag::err_undeclared_var_use_suggest:
    return std::ranges::find(kEarlierFunctions, name) != kEarlierFunctions.end() ? name : std::string();
  default: return {};
  }
}

/// "cub::Sum" of "cub_Sum".
std::string qualified(const std::string &name) {
  for (const std::string space : {"cub", "thrust"})
    if (name.starts_with(space + "_"))
      return space + "::" + name.substr(space.size() + 1);
  return name;
}

void define(Progress &progress, const std::string &macro) {
  progress.arguments.insert(progress.arguments.begin(), "-D" + macro);
}

} // namespace

bool rewrite_constructs(Progress &progress) {
  constexpr int kMostRounds = 4; // one construct can hide another
  PatchedSources &patched = progress.repairs.patched;
  if (patched.rounds == kMostRounds || !patch_sources(progress.attempt.errors, patched))
    return false;
  ++patched.rounds;
  return true;
}

Next ToleratedConstructs::after(Progress &progress) {
  if (before_ && !progress.result.ok)
    return Next::Done;
  before_.reset();
  if (!progress.result.ok || progress.leaves_out_bodies || !rewrite_constructs(progress))
    return Next::Step;
  before_ = std::move(progress.result);
  return Next::Again;
}

void ToleratedConstructs::finish(Progress &progress) {
  if (before_ && !progress.result.ok) // nothing was gained
    progress.result = std::move(*before_);
}

Next RefusedConstructs::after(Progress &progress) { return rewrite_constructs(progress) ? Next::Again : Next::Step; }

void RefusedConstructs::reword(Diagnostic &diagnostic, const Progress &progress) const {
  diagnostic.message = with_source_names(std::move(diagnostic.message), progress.repairs.patched.own_names);
}

Next EarlierNames::after(Progress &progress) {
  if (!notes_.empty())
    return Next::Step;
  std::set<std::string> missed;
  for (const SourceError &error : progress.attempt.errors)
    if (const std::string name = earlier_name(error); !name.empty() && missed.insert(name).second)
      notes_.push_back({Diagnostic::Severity::Note, place_of(error),
                        "'" + qualified(name) + "' is of an earlier CUDA: analysed with a stand-in for it"});
  if (notes_.empty())
    return Next::Step;
  define(progress, "SMEM_LINT_EARLIER_NAMES");
  for (const std::string &name : missed)
    define(progress, "SMEM_LINT_EARLIER_" + name);
  return Next::Again;
}

void EarlierNames::finish(Progress &progress) {
  if (!progress.is_optimised) // what another run has made has its own
    std::ranges::move(notes_, std::back_inserter(progress.result.diagnostics));
}

Next FullPrelude::after(Progress &progress) {
  if (tried_ || !progress.options.toolkit.shipped)
    return Next::Step;
  tried_ = true;
  define(progress, "SMEM_LINT_FULL_PRELUDE");
  return Next::Again;
}

} // namespace smem
