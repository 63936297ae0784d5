#include "nvcc/pipeline.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalOpt.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/NaryReassociate.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h>
#include <llvm/Transforms/Scalar/StraightLineStrengthReduce.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Vectorize/LoadStoreVectorizer.h>

#include "nvcc/cicc/boolean_loads.h"
#include "nvcc/cicc/chased_loads.h"
#include "nvcc/cicc/coefficient_loads.h"
#include "nvcc/cicc/copied_fields.h"
#include "nvcc/cicc/demanded_bytes.h"
#include "nvcc/cicc/early_unrolling.h"
#include "nvcc/cicc/first_iteration_loads.h"
#include "nvcc/cicc/gap_fill.h"
#include "nvcc/cicc/if_conversion.h"
#include "nvcc/cicc/index_terms.h"
#include "nvcc/cicc/initial_values.h"
#include "nvcc/cicc/inlining.h"
#include "nvcc/cicc/jump_threading.h"
#include "nvcc/cicc/kernel_parameters.h"
#include "nvcc/cicc/libdevice.h"
#include "nvcc/cicc/llvm_passes.h"
#include "nvcc/cicc/load_sinking.h"
#include "nvcc/cicc/memory_intrinsics.h"
#include "nvcc/cicc/memory_semantics.h"
#include "nvcc/cicc/once_written_variables.h"
#include "nvcc/cicc/repeated_stores.h"
#include "nvcc/cicc/row_copies.h"
#include "nvcc/cicc/shared_readers.h"
#include "nvcc/cicc/space_tests.h"
#include "nvcc/cicc/special_register_reads.h"
#include "nvcc/cicc/split_structures.h"
#include "nvcc/cicc/store_sinking.h"
#include "nvcc/cicc/structure_copies.h"
#include "nvcc/cicc/unrolling.h"
#include "nvcc/cicc/vector_copies.h"
#include "nvcc/cicc/vectoriser_borders.h"
#include "nvcc/facts/machine.h"
#include "nvcc/facts/kernels.h"
#include "nvcc/facts/loop_length.h"
#include "nvcc/lines/extended_loads.h"
#include "nvcc/lines/merged_store_lines.h"
#include "nvcc/lines/original_locations.h"
#include "nvcc/ptxas/aborts.h"
#include "nvcc/ptxas/dead_exchanges.h"
#include "nvcc/ptxas/dead_inline_ptx.h"
#include "nvcc/ptxas/distinct_loads.h"
#include "nvcc/ptxas/inline_ptx_accesses.h"
#include "nvcc/ptxas/shared_layout.h"
#include "nvcc/ptxas/simplify.h"
#include "nvcc/ptxas/split_vectors.h"
#include "nvcc/ptxas/vectorise.h"
#include "nvcc/ptxas/volatile_locals.h"
#include "nvcc/source_calls.h"
#include "nvcc/source_exits.h"
#include "nvcc/stage.h"
#include "nvcc/uncertain_accesses.h"

namespace smem {
namespace {

using llvm::Function, llvm::Module;
using FunctionManager = llvm::FunctionPassManager;
using ModuleManager = llvm::ModulePassManager;
using LoopManager = llvm::LoopPassManager;

/// Runs passes of LLVM on a kernel.
template <typename... Passes> void run_passes(Function &kernel, StageContext &context, Passes &&...passes) {
  FunctionManager manager;
  (manager.addPass(std::forward<Passes>(passes)), ...);
  context.analyses->invalidate(kernel, manager.run(kernel, *context.analyses));
  context.analyses->clear(kernel, kernel.getName());
}

template <typename Analysis> typename Analysis::Result &ask(Function &kernel, StageContext &context) {
  return context.analyses->getResult<Analysis>(kernel);
}

void inline_functions(Module &module, StageContext &context) {
  for (Function &function : module)
    if (!function.isDeclaration() && lower::calls_readers(function)) {
      lower::note_neighbours_across_readers(function, ask<llvm::ScalarEvolutionAnalysis>(function, context));
      context.analyses->clear(function, function.getName());
    }
  context.inlined = lower::request_inlining(module);
  if (!context.inlined)
    return;
  ModuleManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.run(module, *context.modules); // which drops what was known of the functions that it changes
  for (Function *kernel : kernels_of(module))
    inherit_uncertainties(*kernel);
}

/// What `release-all-blocks` has released stays a branch.
ConvergentSimplifyCfg without_if_conversion() {
  return convergent_simplify_cfg(llvm::SimplifyCFGOptions().speculateBlocks(false));
}

/// The locals of functions that were inlined, and the address spaces of their pointers, dissolve.
void simplify_inlined(Module &module, StageContext &context) {
  if (!context.inlined)
    return;
  for (Function *kernel : kernels_of(module))
    run_passes(*kernel, context, llvm::SROAPass(llvm::SROAOptions::ModifyCFG), early_cse(), inst_combine(),
               without_if_conversion());
}

/// Variables become values, and blocks that follow each other are one, as the lowering likes it. SimplifyCFG would also execute a load before the branch
/// that guards it, which is a read that the source does not have.
void keep_source_accesses(Module &module, StageContext &context) {
  for (Function *kernel : kernels_of(module)) {
    run_passes(*kernel, context, llvm::SROAPass(llvm::SROAOptions::PreserveCFG), llvm::InstSimplifyPass());
    while (leave_scopes_directly(*kernel)) // of what is a switch before it is folded
      llvm::removeUnreachableBlocks(*kernel);
    for (llvm::BasicBlock &block : *kernel)
      llvm::ConstantFoldTerminator(&block);
    llvm::removeUnreachableBlocks(*kernel);
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(*kernel))
      llvm::MergeBlockIntoPredecessor(&block);
    context.analyses->clear(*kernel, kernel->getName());
  }
}

void resolve_calls(Module &module, StageContext &context) {
  constexpr unsigned kDeepest = 8; // functions that are called through pointers may call others so
  for (unsigned round = 0; round < kDeepest && resolve_indirect_calls(module, context.whole_program); ++round) {
    inline_functions(module, context);
    keep_source_accesses(module, context);
  }
}

struct ReplaceOnceWritten : llvm::PassInfoMixin<ReplaceOnceWritten> {
  llvm::PreservedAnalyses run(Module &module, llvm::ModuleAnalysisManager &) {
    return replace_once_written(module) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

class NoteLoops : public llvm::PassInfoMixin<NoteLoops> {
public:
  explicit NoteLoops(StageContext &context) : history_(&context.history), rules_(&context.rules) {}
  llvm::PreservedAnalyses run(Function &function, llvm::FunctionAnalysisManager &analyses) {
    history_->note_loops(function, analyses, *rules_);
    note_repeated_stores(function, analyses);
    note_loads_of_one_iteration(function, analyses);
    note_chased_loads(function, analyses.getResult<llvm::LoopAnalysis>(function));
    note_early_unrolling(function, analyses, *rules_);
    note_bounded_loops(function, analyses, *rules_);
    note_inner_loops(function, analyses);
    note_wrapping_counters(analyses.getResult<llvm::LoopAnalysis>(function));
    return llvm::PreservedAnalyses::all();
  }

private:
  AccessHistory *history_;
  const CompilerRules *rules_;
};

void note_uncertain_accesses(Function &kernel, StageContext &context) {
  lower::find_uncertain_accesses(kernel, ask<llvm::DominatorTreeAnalysis>(kernel, context),
                                 ask<llvm::LoopAnalysis>(kernel, context),
                                 ask<llvm::UniformityInfoAnalysis>(kernel, context),
                                 ask<llvm::ScalarEvolutionAnalysis>(kernel, context), context.rules);
  context.analyses->clear(kernel, kernel.getName());
}

void note_copied_fields(Function &kernel, StageContext &context) {
  lower::note_copied_field_accesses(kernel, ask<llvm::ScalarEvolutionAnalysis>(kernel, context));
  context.analyses->clear(kernel, kernel.getName());
}

void sink_stores(Function &kernel, StageContext &context) {
  lower::sink_stores(kernel, ask<llvm::UniformityInfoAnalysis>(kernel, context));
  context.analyses->clear(kernel, kernel.getName());
}

void split_addresses(Function &kernel, StageContext &context) {
  lower::note_adjacent_by_bits(kernel, lower::lay_out_shared_arrays(kernel, context.rules.scalarised_elements));
  const lower::DistinctLoads distinct(kernel);
  run_passes(kernel, context, llvm::InferAlignmentPass(), llvm::SeparateConstOffsetFromGEPPass(),
             llvm::StraightLineStrengthReducePass(), gvn(), llvm::NaryReassociatePass(), early_cse());
}

void demand_bytes(Function &kernel, StageContext &context) {
  lower::demand_bytes(kernel, ask<llvm::DemandedBitsAnalysis>(kernel, context));
  lower::count_where_extended(kernel);
  context.analyses->clear(kernel, kernel.getName());
}

void vectorise_declared(Function &kernel, StageContext &context) {
  lower::vectorise_with_gap_fill(kernel, ask<llvm::AAManager>(kernel, context));
  context.analyses->clear(kernel, kernel.getName());
  lower::MergedStoreLines lines(kernel);
  lower::VectoriserBorders borders(kernel);
  run_passes(kernel, context, llvm::InferAlignmentPass());
  lower::forget_alignment_of_sums(kernel, context.rules);
  run_passes(kernel, context, llvm::LoadStoreVectorizerPass());
  borders.take_out();
  run_passes(kernel, context, llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  lines.put_back();
}

void expand_copies(Function &kernel, StageContext &context) {
  if (lower::expand_memory_intrinsics(kernel, lower::Copies::All, context.rules))
    run_passes(kernel, context, llvm::InferAlignmentPass());
}

void release_volatile_locals(Function &kernel, StageContext &context) {
  if (lower::release_volatile_locals(kernel))
    run_passes(kernel, context, llvm::SROAPass(llvm::SROAOptions::PreserveCFG), llvm::ADCEPass());
}

/// And loads of what was loaded or stored just before, and stores that the next ones overwrite.
void simplify(Function &kernel, StageContext &context) {
  if (!lower::simplify_as_ptxas(kernel))
    return;
  const lower::DistinctLoads distinct(kernel);
  run_passes(kernel, context, early_cse(), Dse(llvm::DSEPass()));
}

void tidy(Function &kernel, StageContext &context) {
  const lower::DistinctLoads distinct(kernel);
  run_passes(kernel, context, EarlyCse(CseAsNvcc(llvm::EarlyCSEPass(/*UseMemorySSA=*/false))), without_if_conversion());
  llvm::removeUnreachableBlocks(kernel);
}

using C = StageContext;
using enum Half;
using enum Programs;

/// The compiler model. Stages of one `At` run in the order of the list.
// clang-format off
const Stage kStages[] = {
  {At::Generated, Cicc, "copy-vectors", "nvcc has aligned structures as vectors from the beginning, Clang as copies of memory", {},
   [](Module &module, C &) { copy_vectors_as_nvcc(module); }},
  {At::Generated, Cicc, "copy-rows", "it goes by all copies of a variable; `copy-structures` takes those that are left apart", {"straight_copy_size"},
   [](Module &module, C &context) { copy_rows_as_nvcc(module, context.rules); }},
  {At::Generated, Cicc, "copy-structures", "the other structures are single values; those that `copy-vectors` has made vectors are none of them any more", {"straight_copy_size"},
   [](Module &module, C &context) { copy_structures_as_nvcc(module, context.rules); }},
  {At::Generated, Cicc, "remember-nests", "the loops are those of the source", {}, [](Module &module, C &) { remember_nests(module); }},
  {At::Generated, Cicc, "compare-booleans", "it stands before the first pass that makes one condition of two", {}, [](Module &module, C &) { compare_booleans(module); }},
  {At::Generated, Cicc, "describe-libdevice", "nvcc links libdevice before it optimises", {}, [](Module &module, C &) { describe_libdevice(module); }},
  {At::Generated, Cicc, "forget-types", "no pass may conclude from types that accesses do not alias", {}, [](Module &module, C &) { forget_types(module); }},
  {At::Generated, Cicc, "tell-fields-apart", "types have been forgotten, and addresses are still computed with structures", {}, [](Module &module, C &) { tell_fields_apart(module); }},
  {At::Generated, Cicc, "relax-atomics", "no pass may keep loads from moving across an atomic", {}, [](Module &module, C &) { relax_atomics(module); }},
  {At::Generated, Cicc, "keep-vector-atomics", "it stands before inline PTX without effects is told apart", {}, [](Module &module, C &) { keep_vector_atomics(module); }},
  {At::Generated, Cicc, "align-dynamic-shared", "it stands before anything looks at alignments", {}, [](Module &module, C &) { align_dynamic_shared(module); }},
  {At::Generated, Cicc, "free-computing-ptx", "unrolling and dead code elimination must see that such PTX is arithmetic", {}, [](Module &module, C &) { free_computing_ptx(module); }},
  {At::Generated, Cicc, "write-initial-values", "it stands before anything sees that a local array is the constant that it begins as", {}, [](Module &module, C &) { write_initial_values(module); }},
  {At::Generated, Cicc, "note-locations", "it stands after all that makes accesses, and before anything drops a debug location", {}, [](Module &module, C &) { note_locations(module); }},
  {At::Generated, Cicc, "name-functions", "uncertainties are raised of functions, which are cloned from here on", {},
   [](Module &module, C &context) { name_functions(module, context.is_header); }},

  {At::PipelineStart, Cicc, "keep-costly-blocks", "it stands before the first pass that if-converts", {}, [](FunctionManager &passes, C &) { passes.addPass(KeepCostlyBlocks()); }, 2},

  {At::EarlySimplification, Cicc, "scalarise-locals", "the stages that follow look for loads of memory, not of variables", {},
   [](FunctionManager &passes, C &) { passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG)); }, 2},
  {At::EarlySimplification, Cicc, "early-cse", "common code is found by its values", {}, [](FunctionManager &passes, C &) { passes.addPass(NoteLocalPointers()); passes.addPass(first_cse()); }, 2},
  {At::EarlySimplification, Cicc, "read-special-registers", "hoisting must see registers; before that, two reads are not one value", {},
   [](FunctionManager &passes, C &) { passes.addPass(ReadRegisters()); }, 2},
  {At::EarlySimplification, Cicc, "thread-jumps", "a condition that is loaded twice is still two conditions", {}, [](FunctionManager &passes, C &) { passes.addPass(ThreadJumps()); }, 2},
  {At::EarlySimplification, Cicc, "hoist-common-code", "nvcc hoists before it rotates loops, too: what a loop's body and the code after it both load", {},
   [](FunctionManager &passes, C &) { passes.addPass(simplify_cfg(llvm::SimplifyCFGOptions().hoistCommonInsts(true))); }, 2},
  {At::EarlySimplification, Cicc, "keep-loading-blocks", "it stands after the first if-conversion: of the then and else blocks that are left", {},
   [](FunctionManager &passes, C &) { passes.addPass(KeepLoadingBlocks()); }, 2},
  {At::EarlySimplification, Cicc, "note-equal-tails", "nvcc looks for equal tails before it unrolls loops", {}, [](FunctionManager &passes, C &) { passes.addPass(NoteEqualTails()); }, 2},
  {At::EarlySimplification, Cicc, "note-loops", "it stands before any loop is unrolled", {"full_unroll_size", "full_unroll_bounded_trips"},
   [](FunctionManager &passes, C &context) { passes.addPass(NoteLoops(context)); }, 2},
  {At::EarlySimplification, Cicc, "read-unwritten", "LLVM would replace what is read of arrays that nothing writes; nvcc does so at known addresses only", {},
   [](ModuleManager &passes, C &) { passes.addPass(ReadUnwritten()); }, 2},
  {At::EarlySimplification, Cicc, "scalarise-shared", "nvcc takes small shared arrays apart, too, and drops what is not read by now", {"scalarised_elements"},
   [](ModuleManager &passes, C &) { passes.addPass(llvm::GlobalOptPass()); }, 2},
  {At::EarlySimplification, Cicc, "replace-once-written", "it stands after all stores that there are have been seen", {}, [](ModuleManager &passes, C &) { passes.addPass(ReplaceOnceWritten()); }, 2},
  {At::EarlySimplification, Cicc, "add-readers", "from here on LLVM drops stores where it has removed what reads them, and nvcc does not", {},
   [](ModuleManager &passes, C &) { passes.addPass(AddReader()); }},

  {At::Peephole, Cicc, "release-cheap-blocks", "calls are inlined by now; these are blocks that no loads are sunk into", {},
   [](FunctionManager &passes, C &) { passes.addPass(ReleaseBlocks()); }},
  {At::LateLoop, Cicc, "choose-full-unrolling", "it stands right before LLVM's full unrolling, which does not know what mathematics and local arrays become",
   {"full_unroll_size", "full_unroll_local_array_size", "full_unroll_bookkeeping", "shuffle_size"},
   [](LoopManager &passes, C &context) { passes.addPass(ChooseFullUnrolling(context.rules)); }},
  {At::ScalarLate, Cicc, "release-blocks", "the last if-conversion is still to come", {"if_conversion_size"},
   [](FunctionManager &passes, C &) { passes.addPass(ReleaseBlocks()); }},
  {At::VectorizerStart, Cicc, "forget-unknown-unrolling", "LLVM's own unrolling by pragmas would make eight iterations one", {},
   [](FunctionManager &passes, C &) { passes.addPass(ForgetUnrollOfUnknownLength()); }},

  {At::OptimizerLast, Cicc, "full-unroll-inner", "the length of some loops is known only once the loop around them has been unrolled", {"full_unroll_size"},
   [](FunctionManager &passes, C &context) { passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(static_cast<int>(context.level.getSpeedupLevel()), /*OnlyWhenForced=*/!context.unrolls))); }, 2},
  {At::OptimizerLast, Cicc, "unroll", "both halves unroll loops that stay, which takes the loops as they will be",
   {"partial_unroll_size", "full_unroll_analysed_trips", "runtime_unroll_count", "runtime_unroll_size", "runtime_unroll_bookkeeping", "straightened_in_functions", "runtime_unroll_fewest_trips", "unroll_count", "unroll_rest_count",
    "unroll_likely_size", "unroll_never_size", "unroll_likely_loads", "unroll_never_loads"},
   [](FunctionManager &passes, C &context) { passes.addPass(UnrollAsNvcc(context.rules)); }, 2},
  {At::OptimizerLast, Cicc, "combine", "unrolled iterations simplify", {}, [](FunctionManager &passes, C &) { passes.addPass(inst_combine()); }, 2},
  {At::OptimizerLast, Cicc, "reassociate", "addresses of unrolled iterations get common parts", {}, [](FunctionManager &passes, C &) { passes.addPass(llvm::ReassociatePass()); }, 2},
  {At::OptimizerLast, Cicc, "late-cse", "the common parts are computed once", {}, [](FunctionManager &passes, C &) { passes.addPass(NoteLocalPointers()); passes.addPass(late_cse()); }, 2},
  {At::OptimizerLast, Cicc, "late-licm", "the common parts leave the loops around", {},
   [](FunctionManager &passes, C &) { passes.addPass(llvm::createFunctionToLoopPassAdaptor(Licm(llvm::LICMPass(llvm::LICMOptions())), /*UseMemorySSA=*/true)); }, 2},
  {At::OptimizerLast, Cicc, "late-simplify-cfg", "branches on conditions that unrolling has made constant go", {}, [](FunctionManager &passes, C &) { passes.addPass(simplify_cfg()); }, 2},
  {At::OptimizerLast, Cicc, "sink-loads", "it stands last of all, or hoisting would undo it", {}, [](FunctionManager &passes, C &) { passes.addPass(SinkAsNvcc()); }, 2},

  {At::Optimised, Cicc, "remove-readers", "nothing drops stores from here on", {}, [](Module &module, C &) { remove_reader(module); }},
  {At::Optimised, Cicc, "release-all-blocks", "nothing if-converts from here on", {}, [](Module &module, C &) { release_all_blocks(module); }},
  {At::Optimised, Cicc, "forget-locations", "nothing drops debug locations from here on", {}, [](Module &module, C &) { forget_locations(module); }, 0, Both},
  {At::Optimised, Cicc, "conclude-history", "what became of each access is known by now", {}, [](Module &module, C &context) { context.history.conclude(module); }},
  {At::Finished, Cicc, "forward-rows", "which copies go on in other copies is known after optimisation only", {}, [](Module &module, C &) { forward_rows(module); }},
  {At::Finished, Cicc, "retype-vector-copies", "which copies go on in other copies is known after optimisation only", {}, [](Module &module, C &) { retype_vector_copies_as_nvcc(module); }},
  {At::Finished, Cicc, "split-structures", "a structure that is still whole has padding, and is loaded by its fields in the end", {}, [](Module &module, C &) { split_structures_as_nvcc(module); }},

  {At::Linked, Cicc, "scope-block-atomics", "Clang drops the scope of atomics of the block, which another block's threads are not atomic to", {}, [](Module &module, C &) { scope_block_atomics(module); }, 0, Source},
  {At::Linked, Cicc, "expand-grid-barriers", "what the headers make of a barrier of the grid waits in memory, which is not followed", {}, [](Module &module, C &) { expand_grid_barriers(module); }, 0, Source},
  {At::Linked, Cicc, "expand-random-numbers", "cuRAND's functions have no bodies here, and touch nothing but the state that they are given", {}, [](Module &module, C &) { expand_random_numbers(module); }, 0, Source},
  {At::Linked, Cicc, "inline-functions", "the analysis needs all code inside of kernels", {}, inline_functions, 0, Both},
  {At::Linked, Cicc, "simplify-inlined", "the locals of inlined functions, and the address spaces of their pointers, dissolve", {}, simplify_inlined},
  {At::Linked, Cicc, "keep-source-accesses", "variables become values, and no access is merged, removed or moved for it", {}, keep_source_accesses, 0, Source},
  {At::Linked, Cicc, "resolve-indirect-calls", "which functions a pointer may lead to shows once those around the call are inlined", {}, resolve_calls, 0, Source},
  {At::Linked, Cicc, "replace-once-written-again", "inlined functions have brought further stores together", {}, [](Module &module, C &) { replace_once_written(module); }},

  {At::Kernel, Cicc, "copy-written-parameters", "it stands before pointers out of parameters are looked for", {}, [](Function &kernel, C &) { lower::copy_written_parameters(kernel); }, 0, Both},
  {At::Kernel, Cicc, "mark-global-pointers", "address spaces are inferred from these pointers", {}, [](Function &kernel, C &) { lower::mark_kernel_pointers(kernel); }, 0, Both},
  {At::Kernel, Cicc, "infer-address-spaces", "all stages that follow ask for address spaces", {},
   [](Function &kernel, C &context) { run_passes(kernel, context, llvm::SROAPass(llvm::SROAOptions::ModifyCFG), llvm::InferAddressSpacesPass(kGeneric)); }, 0, Both},
  {At::Kernel, Cicc, "answer-space-tests", "what stands behind them for other memory than the pointer's is no code of the kernel", {}, [](Function &kernel, C &) { lower::answer_space_tests(kernel); }, 0, Source},
  {At::Kernel, Cicc, "expand-copies-of-locals", "they dissolve into registers, and copies of unknown length become loops, before accesses are looked at", {"straight_copy_size", "copy_piece_size", "straight_copy_iterations"},
   [](Function &kernel, C &context) { lower::expand_memory_intrinsics(kernel, lower::Copies::Early, context.rules); }, 0, Both},
  {At::Kernel, Ptxas, "read-inline-ptx", "ptxas does not see who wrote a load, so uncertainties are looked for in these as well", {}, [](Function &kernel, C &) { lower::expand_inline_ptx(kernel); }, 0, Both},
  {At::Kernel, Ptxas, "drop-dead-ptx", "ptxas drops statements whose results nothing uses, among those that are left", {}, [](Function &kernel, C &) { lower::drop_unused_ptx(kernel); }},
  {At::Kernel, Cicc, "note-stores-out-of-nests", "they are where optimisation has left them", {},
   [](Function &kernel, C &context) { note_stores_out_of_nests(kernel, ask<llvm::LoopAnalysis>(kernel, context)); }},
  {At::Kernel, Cicc, "note-uncertain-accesses", "accesses are as the source has them: none has been merged", {"certain_fall_through", "straight_iterations", "certain_address_steps", "certain_product_loads", "if_conversion_size"}, note_uncertain_accesses},
  {At::Kernel, Cicc, "sink-stores", "LLVM's own sinking has not run; it stands before vectors are looked at", {}, sink_stores},
  {At::Kernel, Ptxas, "split-vectors", "it stands before elements that nothing uses make others adjacent", {}, [](Function &kernel, C &) { lower::split_vectors(kernel); }},
  {At::Kernel, Cicc, "split-addresses", "the NVPTX back end begins so: addresses are brought to a common base and a constant, and duplicates go", {"scalarised_elements"}, split_addresses},
  {At::Kernel, Cicc, "demand-bytes", "duplicate loads are gone by now, and none has been vectorised", {}, [](Function &kernel, C &context) { demand_bytes(kernel, context); }},
  {At::Kernel, Cicc, "note-copied-fields", "short copies are still calls", {}, note_copied_fields},
  {At::Kernel, Cicc, "split-structures-of-other-blocks", "what drops a store of a value that was there before has seen them whole", {}, [](Function &kernel, C &) { split_structures_of_other_blocks(kernel); }},
  {At::Kernel, Cicc, "vectorise-declared", "cicc merges adjacent accesses where the source declares the alignment; ptxas then sees vectors", {"certain_index_terms"}, vectorise_declared},
  {At::Kernel, Cicc, "expand-copies", "code generation expands copies last of all: adjacent accesses are not merged with the pieces before ptxas does it", {"straight_copy_size", "copy_piece_size", "straight_copy_iterations"}, expand_copies, 0, Both},
  {At::Kernel, Ptxas, "release-volatile-locals", "cicc keeps accesses of volatile variables apart to the end; ptxas sees registers", {}, release_volatile_locals},
  {At::Kernel, Ptxas, "drop-dead-exchanges", "cicc keeps exchanges whose results nothing uses, and what it loads for them", {}, [](Function &kernel, C &) { lower::drop_dead_exchanges(kernel); }},
  {At::Kernel, Ptxas, "simplify", "ptxas simplifies what cicc did not see", {}, simplify},
  {At::Kernel, Ptxas, "vectorise-placed", "ptxas alone knows where it lays out arrays, and merges accesses that are adjacent there", {"scalarised_elements"},
   [](Function &kernel, C &context) {
     lower::vectorise_accesses(kernel, lower::lay_out_shared_arrays(kernel, context.rules.scalarised_elements));
     lower::note_unmerged_sums(kernel);
   }},
  {At::Kernel, Ptxas, "drop-aborts", "barriers before an abort have ended their regions by now", {}, [](Function &kernel, C &) { lower::drop_aborts(kernel); }, 0, Both},
  {At::Kernel, Ptxas, "tidy", "blocks and values that nothing leads to are not lowered", {}, tidy},
  {At::Kernel, Cicc, "load-coefficients", "nothing uses what these load, and nothing drops it from here on", {}, [](Function &kernel, C &) { load_coefficients(kernel); }},
  {At::Kernel, Cicc, "forget-calls", "nothing is moved from here on", {}, [](Function &kernel, C &) { lower::unmark_calls(kernel); }, 0, Both},
};
// clang-format on

} // namespace

std::span<const Stage> stages() { return kStages; }

} // namespace smem
