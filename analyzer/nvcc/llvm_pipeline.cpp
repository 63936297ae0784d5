#include "nvcc/llvm_pipeline.h"

#include <utility>

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/GlobalsModRef.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/Annotation2Metadata.h>
#include <llvm/Transforms/IPO/CalledValuePropagation.h>
#include <llvm/Transforms/IPO/ConstantMerge.h>
#include <llvm/Transforms/IPO/DeadArgumentElimination.h>
#include <llvm/Transforms/IPO/ElimAvailExtern.h>
#include <llvm/Transforms/IPO/ForceFunctionAttrs.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/GlobalOpt.h>
#include <llvm/Transforms/IPO/InferFunctionAttrs.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Instrumentation/CGProfile.h>
#include <llvm/Transforms/Instrumentation/ControlHeightReduction.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/AlignmentFromAssumptions.h>
#include <llvm/Transforms/Scalar/AnnotationRemarks.h>
#include <llvm/Transforms/Scalar/CallSiteSplitting.h>
#include <llvm/Transforms/Scalar/ConstraintElimination.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/Float2Int.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopDistribute.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopInstSimplify.h>
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopSimplifyCFG.h>
#include <llvm/Transforms/Scalar/LoopSink.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/LowerConstantIntrinsics.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/MemCpyOptimizer.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/TailRecursionElimination.h>
#include <llvm/Transforms/Scalar/WarnMissedTransforms.h>
#include <llvm/Transforms/Utils/InjectTLIMappings.h>
#include <llvm/Transforms/Utils/LibCallsShrinkWrap.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <llvm/Transforms/Utils/MoveAutoInit.h>
#include <llvm/Transforms/Utils/RelLookupTableConverter.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include "nvcc/cicc/branching_calls.h"
#include "nvcc/cicc/llvm_passes.h"
#include "nvcc/cicc/load_sinking.h"
#include "nvcc/cicc/unswitching.h"
#include "nvcc/stage_passes.h"

namespace smem {
namespace {

using FunctionManager = llvm::FunctionPassManager;
using LoopManager = llvm::LoopPassManager;
using ModuleManager = llvm::ModulePassManager;
using Level = llvm::OptimizationLevel;

/// Rounds of LLVM's inliner over functions whose indirect calls have become direct ones: its default.
constexpr unsigned kDevirtualisationDepth = 4;

class Pipeline {
public:
  Pipeline(llvm::PassBuilder &builder, const llvm::PipelineTuningOptions &tuning, StageContext &context,
           bool with_stages)
      : builder_(builder), tuning_(tuning), context_(context), level_(context.level), with_stages_(with_stages) {}

  ModuleManager unoptimised();
  ModuleManager optimised();

private:
  template <typename Manager> void stages(At at, Manager &passes) {
    if (with_stages_)
      add_stages(at, passes, context_);
  }
  /// Before common values are looked for.
  void look_through_memory(FunctionManager &passes) {
    if (!with_stages_)
      return;
    passes.addPass(NoteLocalPointers());
    passes.addPass(TellCallsApart());
  }
  void combine(FunctionManager &passes) {
    passes.addPass(inst_combine());
    stages(At::Peephole, passes);
  }
  static llvm::SimplifyCFGOptions tidy() { return llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true); }
  Licm licm(bool speculates) const {
    return Licm(llvm::LICMPass(tuning_.LicmMssaOptCap, tuning_.LicmMssaNoAccForPromotionCap, speculates));
  }
  llvm::LoopRotatePass rotate() const { return llvm::LoopRotatePass(/*EnableHeaderDuplication=*/level_ != Level::Oz); }
  llvm::SimpleLoopUnswitchPass unswitch() const { return llvm::SimpleLoopUnswitchPass(level_ == Level::O3); }
  llvm::FunctionToLoopPassAdaptor hoist() const {
    return llvm::createFunctionToLoopPassAdaptor(licm(/*speculates=*/true), /*UseMemorySSA=*/true);
  }
  bool is_least() const { return level_.getSpeedupLevel() == 1; }

  void add_start(ModuleManager &passes);
  FunctionManager early_functions();
  FunctionManager after_globals();
  LoopManager loops_as_they_are();
  LoopManager loops_to_unroll();
  FunctionManager functions();
  void eliminate(FunctionManager &passes);
  llvm::ModuleInlinerWrapperPass inliner();
  FunctionManager late_functions();

  llvm::PassBuilder &builder_;
  const llvm::PipelineTuningOptions &tuning_;
  StageContext &context_;
  const Level level_;
  const bool with_stages_;
};

/// What the target does at the start is registered with the builder, and nothing else is.
void Pipeline::add_start(ModuleManager &passes) {
  builder_.invokePipelineStartEPCallbacks(passes, level_);
  stages(At::PipelineStart, passes);
}

FunctionManager Pipeline::early_functions() {
  FunctionManager passes;
  passes.addPass(llvm::LowerExpectIntrinsicPass());
  passes.addPass(simplify_cfg());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  look_through_memory(passes);
  if (with_stages_)
    passes.addPass(SinkIntoCases());
  passes.addPass(first_cse());
  if (level_ == Level::O3)
    passes.addPass(llvm::CallSiteSplittingPass());
  return passes;
}

FunctionManager Pipeline::after_globals() {
  FunctionManager passes;
  passes.addPass(llvm::PromotePass());
  combine(passes);
  passes.addPass(simplify_cfg(tidy()));
  return passes;
}

LoopManager Pipeline::loops_as_they_are() {
  LoopManager passes;
  if (with_stages_)
    passes.addPass(NoteInvariantBranchingCalls());
  passes.addPass(llvm::LoopInstSimplifyPass());
  passes.addPass(llvm::LoopSimplifyCFGPass());
  passes.addPass(licm(/*speculates=*/false));
  passes.addPass(rotate());
  return passes;
}

LoopManager Pipeline::loops_to_unroll() {
  LoopManager passes;
  passes.addPass(llvm::LoopIdiomRecognizePass());
  passes.addPass(IndVarSimplify(llvm::IndVarSimplifyPass()));
  if (!is_least()) {
    llvm::ExtraSimpleLoopUnswitchPassManager extra;
    if (with_stages_)
      extra.addPass(HideDivergentBranches(context_.rules));
    extra.addPass(unswitch());
    passes.addPass(std::move(extra));
  }
  stages(At::LateLoop, passes);
  passes.addPass(llvm::LoopDeletionPass());
  passes.addPass(FullUnroll(llvm::LoopFullUnrollPass(static_cast<int>(level_.getSpeedupLevel()),
                                                     /*OnlyWhenForced=*/!tuning_.LoopUnrolling,
                                                     tuning_.ForgetAllSCEVInLoopUnroll)));
  return passes;
}

/// Between loops and the last tidying up.
void Pipeline::eliminate(FunctionManager &passes) {
  if (is_least()) {
    passes.addPass(llvm::MemCpyOptPass());
    passes.addPass(Sccp(llvm::SCCPPass()));
    combine(passes);
    stages(At::ScalarLate, passes);
    passes.addPass(llvm::ADCEPass());
    passes.addPass(simplify_cfg(tidy()));
    return;
  }
  look_through_memory(passes);
  passes.addPass(gvn(/*in_loops=*/!with_stages_));
  passes.addPass(Sccp(llvm::SCCPPass()));
  combine(passes);
  passes.addPass(llvm::JumpThreadingPass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::MemCpyOptPass());
  passes.addPass(Dse(llvm::DSEPass()));
  passes.addPass(llvm::MoveAutoInitPass());
  if (!with_stages_)
    passes.addPass(hoist());
  stages(At::ScalarLate, passes);
  passes.addPass(simplify_cfg(tidy().hoistCommonInsts(true).sinkCommonInsts(true)));
}

/// Of a function, once those that it calls are as they will be.
FunctionManager Pipeline::functions() {
  FunctionManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  look_through_memory(passes);
  passes.addPass(early_cse());
  if (!is_least())
    passes.addPass(llvm::JumpThreadingPass());
  passes.addPass(simplify_cfg(tidy()));
  passes.addPass(inst_combine());
  if (!is_least())
    passes.addPass(llvm::AggressiveInstCombinePass());
  if (!level_.isOptimizingForSize())
    passes.addPass(llvm::LibCallsShrinkWrapPass());
  stages(At::Peephole, passes);
  if (!is_least())
    passes.addPass(llvm::TailCallElimPass());
  passes.addPass(simplify_cfg(tidy()));
  passes.addPass(llvm::ReassociatePass());
  if (!is_least())
    passes.addPass(llvm::ConstraintEliminationPass());
  if (with_stages_)
    passes.addPass(NoteUniformBranches());
  LoopManager loops = loops_as_they_are();
  if (with_stages_) {
    // All loops of nvcc's are rotated, and those of one iteration known by that, before anything leaves the first: RULES.md.
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true,
                                                         /*UseBlockFrequencyInfo=*/true));
    passes.addPass(inst_combine());
    passes.addPass(simplify_cfg(tidy()));
    // Twice before loops are unswitched, and not again before these have been unrolled in part: what full unrolling brings out of inner loops, and unswitching out of conditions, stays until
    // then (RULES.md).
    passes.addPass(hoist());
    passes.addPass(hoist());
    loops = LoopManager();
    loops.addPass(HideDivergentBranches(context_.rules));
  } else {
    loops.addPass(licm(/*speculates=*/true));
  }
  loops.addPass(unswitch());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true,
                                                       /*UseBlockFrequencyInfo=*/true));
  if (with_stages_)
    passes.addPass(ShowDivergentBranches());
  passes.addPass(simplify_cfg(tidy()));
  passes.addPass(inst_combine());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(loops_to_unroll()));
  if (with_stages_)
    passes.addPass(ShowDivergentBranches());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  eliminate(passes);
  combine(passes);
  return passes;
}

llvm::ModuleInlinerWrapperPass Pipeline::inliner() {
  llvm::ModuleInlinerWrapperPass inliner(
      llvm::getInlineParams(level_.getSpeedupLevel(), level_.getSizeLevel()), /*MandatoryFirst=*/false,
      llvm::InlineContext{llvm::ThinOrFullLTOPhase::None, llvm::InlinePass::CGSCCInliner},
      llvm::InliningAdvisorMode::Default, kDevirtualisationDepth);
  inliner.addModulePass(llvm::RequireAnalysisPass<llvm::GlobalsAA, llvm::Module>());
  inliner.addModulePass(llvm::createModuleToFunctionPassAdaptor(llvm::InvalidateAnalysisPass<llvm::AAManager>()));
  inliner.addModulePass(llvm::RequireAnalysisPass<llvm::ProfileSummaryAnalysis, llvm::Module>());
  llvm::CGSCCPassManager &passes = inliner.getPM();
  passes.addPass(llvm::PostOrderFunctionAttrsPass(/*SkipNonRecursive=*/true));
  passes.addPass(llvm::createCGSCCToFunctionPassAdaptor(functions(), tuning_.EagerlyInvalidateAnalyses,
                                                        /*NoRerun=*/true));
  passes.addPass(llvm::PostOrderFunctionAttrsPass());
  passes.addPass(llvm::createCGSCCToFunctionPassAdaptor(
      llvm::RequireAnalysisPass<llvm::ShouldNotRunFunctionPassesAnalysis, llvm::Function>()));
  inliner.addLateModulePass(llvm::createModuleToFunctionPassAdaptor(
      llvm::InvalidateAnalysisPass<llvm::ShouldNotRunFunctionPassesAnalysis>()));
  return inliner;
}

/// Of all functions, when nothing is inlined any more. LLVM vectorises here, and only where a pragma asks for it.
FunctionManager Pipeline::late_functions() {
  FunctionManager passes;
  passes.addPass(llvm::Float2IntPass());
  passes.addPass(llvm::LowerConstantIntrinsicsPass());
  if (level_ == Level::O3)
    passes.addPass(llvm::ControlHeightReductionPass());
  stages(At::VectorizerStart, passes);
  LoopManager loops;
  loops.addPass(rotate());
  loops.addPass(llvm::LoopDeletionPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(llvm::LoopDistributePass());
  passes.addPass(llvm::InjectTLIMappings());
  passes.addPass(
      llvm::LoopVectorizePass(llvm::LoopVectorizeOptions(!tuning_.LoopInterleaving, !tuning_.LoopVectorization)));
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(llvm::LoopLoadEliminationPass());
  passes.addPass(inst_combine());
  passes.addPass(simplify_cfg(tidy()
                                  .forwardSwitchCondToPhi(true)
                                  .convertSwitchToLookupTable(true)
                                  .needCanonicalLoops(false)
                                  .hoistCommonInsts(true)
                                  .sinkCommonInsts(true)));
  passes.addPass(inst_combine());
  passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(static_cast<int>(level_.getSpeedupLevel()),
                                                              /*OnlyWhenForced=*/!tuning_.LoopUnrolling,
                                                              tuning_.ForgetAllSCEVInLoopUnroll)));
  passes.addPass(llvm::WarnMissedTransformationsPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::InferAlignmentPass());
  passes.addPass(inst_combine());
  if (!with_stages_)
    passes.addPass(hoist());
  passes.addPass(llvm::AlignmentFromAssumptionsPass());
  passes.addPass(llvm::LoopSinkPass());
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::TailCallElimPass());
  passes.addPass(simplify_cfg(tidy().speculateUnpredictables(true)));
  return passes;
}

ModuleManager Pipeline::optimised() {
  ModuleManager passes;
  passes.addPass(llvm::Annotation2MetadataPass());
  passes.addPass(llvm::ForceFunctionAttrsPass());
  add_start(passes);
  passes.addPass(llvm::InferFunctionAttrsPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(early_functions(), tuning_.EagerlyInvalidateAnalyses));
  stages(At::EarlySimplification, passes);
  passes.addPass(IpSccp(llvm::IPSCCPPass(llvm::IPSCCPOptions(/*AllowFuncSpec=*/level_.getSizeLevel() == 0))));
  passes.addPass(llvm::CalledValuePropagationPass());
  passes.addPass(llvm::GlobalOptPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(after_globals(), tuning_.EagerlyInvalidateAnalyses));
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));
  passes.addPass(inliner());
  passes.addPass(llvm::DeadArgumentEliminationPass());
  passes.addPass(llvm::GlobalOptPass());
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::EliminateAvailableExternallyPass());
  passes.addPass(llvm::ReversePostOrderFunctionAttrsPass());
  passes.addPass(llvm::RecomputeGlobalsAAPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(late_functions(), tuning_.EagerlyInvalidateAnalyses));
  stages(At::OptimizerLast, passes);
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::ConstantMergePass());
  passes.addPass(llvm::CGProfilePass(/*InLTOPostLink=*/false));
  passes.addPass(llvm::RelLookupTableConverterPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::AnnotationRemarksPass()));
  return passes;
}

ModuleManager Pipeline::unoptimised() {
  ModuleManager passes;
  add_start(passes);
  stages(At::EarlySimplification, passes);
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  LoopManager loops;
  stages(At::LateLoop, loops);
  if (!loops.isEmpty())
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::createFunctionToLoopPassAdaptor(std::move(loops))));
  for (const At at : {At::ScalarLate, At::VectorizerStart}) {
    FunctionManager functions;
    stages(at, functions);
    if (!functions.isEmpty())
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  }
  stages(At::OptimizerLast, passes);
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::AnnotationRemarksPass()));
  return passes;
}

} // namespace

llvm::ModulePassManager llvm_pipeline(llvm::PassBuilder &builder, const llvm::PipelineTuningOptions &tuning,
                                      StageContext &context, bool with_stages) {
  Pipeline pipeline(builder, tuning, context, with_stages);
  return context.level == Level::O0 ? pipeline.unoptimised() : pipeline.optimised();
}

} // namespace smem
