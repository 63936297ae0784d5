#include "nvcc/uncertainties.h"

#include <algorithm>
#include <iterator>

namespace smem {
namespace {

using U = Uncertainty;
using S = UncertaintyScope;

constexpr bool kOfTheLine = true;

// In the order of the enumeration.
constexpr UncertaintyInfo kAll[] = {
    {U::TailMerging, "assumed-tail-merging", S::Source,
     "nvcc makes one access of those in the then and else blocks where the model does",
     "Both blocks of a branch end with the same access. Whether nvcc makes one of them, after the branch, depends on what else stands in the blocks.",
     kOfTheLine},
    {U::SourceLine, "assumed-source-line", S::Counts, "nvcc's line table counts no other line's access on this line",
     "An optimisation moved or combined an access and may have left it without its own line; hardware counters then show it on a neighbouring one.",
     kOfTheLine},
    {U::RedundantAccess, "assumed-redundant-access", S::Counts, "nvcc neither eliminates nor repeats this access",
     "The same address is accessed before, in another block or iteration. nvcc may keep the value in a register, or load it again where registers are short."},
    {U::DeadStore, "assumed-dead-store", S::Counts, "nvcc keeps stores that nothing reads, and the loads for them",
     "Nothing in the kernel reads what is stored before it is overwritten or the kernel ends."},
    {U::Unroll, "assumed-unroll", S::Source, "nvcc unrolls the loop as modelled",
     "Accesses of neighbouring iterations are merged or dropped once a loop is unrolled, and how far this one is depends on its size in nvcc's own terms."},
    {U::LoopPeeling, "assumed-loop-peeling", S::Source, "nvcc starts the loop at the same iteration for all lanes",
     "The loop does something only from some iteration on; nvcc may split its first iterations off."},
    {U::LoadSinking, "assumed-load-sinking", S::Source,
     "nvcc places this load before the branch, or in the block that needs it, as modelled",
     "Only one side of a branch needs what is loaded before it. Lanes that take the other side load it, or not."},
    {U::IfConversion, "assumed-if-conversion", S::Source, "nvcc if-converts this branch, or keeps it, as modelled",
     "A short branch becomes predicated instructions or a select, or stays a branch: lanes that do not take it make a request of their own, none, or join the others'."},
    {U::Unswitching, "assumed-unswitching", S::Source,
     "nvcc unswitches the loop as modelled: makes one for each outcome of a condition that stays the same in it",
     "In a loop for one outcome accesses merge that a branch keeps apart otherwise. nvcc unswitches up to a size of its own, and on conditions inside the functions of the mathematics library, too (`cosf(w)` in a loop "
     "that does not change w)."},
    {U::Vectorisation, "assumed-vectorisation", S::Source, "nvcc vectorises adjacent accesses as modelled",
     "Adjacent accesses of one thread become one of 64 or 128 bits where nvcc can prove the alignment and that nothing is stored in between."},
    {U::LocalPointer, "assumed-local-pointer", S::Source,
     "nvcc resolves the pointer that a local variable holds as modelled",
     "A pointer into shared or global memory is kept in an array or a structure of the thread; whether it stays in local memory decides which instruction accesses what it leads to."},
    {U::StructureCopy, "assumed-structure-copy", S::Source,
     "nvcc copies the structure as a whole, and loads its field separately, as modelled",
     "A structure is copied, and its fields are read beside that: nvcc copies it field by field, in words, or not at all."},
    {U::StructureFields, "assumed-structure-fields", S::Source,
     "nvcc takes the structure apart into its fields, and merges neighbours, as modelled",
     "A structure with padding, or with vectors among its fields, goes through a variable: which fields are loaded and stored, and which of them together, follows no rule that is known for all types."},
    {U::SwitchReconvergence, "assumed-switch-reconvergence", S::Source,
     "lanes that fall through to a case reconverge with those that the switch sends there, as modelled",
     "Several cases of a `switch` fall through to a common one. Its accesses are one request of all these lanes, or one for each case."},
    {U::RepeatedCondition, "assumed-repeated-condition", S::Source,
     "lanes that come to a repeated comparison by different paths reconverge before it",
     "A branch repeats the comparison of one nested before it (`if (a) { if (x == 3) b; } if (x == 3) c; else d;`). nvcc may let lanes skip the second of the two; those that run c "
     "then make one request for each path, or one for all."},
    {U::AddressSpace, "assumed-address-space", S::Source,
     "nvcc knows the memory space of this atomic, although the function is not inlined",
     "A function that is not inlined does an atomic through a pointer whose memory its callers know."},
    {U::AdjacentAccess, "assumed-adjacent-access", S::Source,
     "nvcc recognises these accesses as adjacent, and merges them",
     "That the accesses are adjacent follows from arithmetic that nvcc may not see through."},
    {U::MergedLine, "assumed-merged-line", S::Source,
     "nvcc attributes accesses that it merges to the first of their lines",
     "Accesses of several lines are one instruction, which is counted on one of these lines.", kOfTheLine},
    {U::LostLocation, "assumed-lost-location", S::Source,
     "nvcc merges or moves this access as modelled, and attributes it to this line",
     "An optimisation made this access of others and kept none of their lines.", kOfTheLine},
    {U::HeaderLine, "assumed-header-line", S::Source,
     "the line table of nvcc's machine code has a row for each call of a header's function",
     "A function of a header is called on several lines, or its code has the number of one of the kernel's own lines; nvcc tells the two apart where something of another line stands "
     "between them.",
     kOfTheLine},
    {U::Wait, "assumed-wait", S::MachineCode, "what waits on this line accesses nothing meanwhile",
     "A library's loop waits for a barrier or a copy. How often it looks depends on time."},
    {U::Reconvergence, "assumed-reconvergence", S::MachineCode, "lanes that diverge reconverge after it",
     "Lanes diverge in code that is not followed (a call that is not inlined, a loop left in its middle) and are taken to run on together after it."},
    {U::AtomicAggregation, "assumed-atomic-aggregation", S::Source,
     "one lane does this atomic for all that get here with it (nvcc may let each do its own)",
     "Lanes of a warp update one address. Where nvcc proves that they do, it lets one lane do it for all of them; of an address that depends on a branch it may not."},
    {U::LoopInvariantAccess, "assumed-loop-invariant-access", S::Source,
     "nvcc does not move this access of one address out of its loop",
     "The address is the same in all iterations. nvcc keeps the value in a register where nothing else can change it, or merges unrolled iterations' accesses."},
    {U::UnevenUnroll, "assumed-uneven-unroll", S::Source,
     "lanes leave the loop at different iterations, and nvcc unrolls it no further",
     "Lanes of a warp leave a loop at different iterations. In an unrolled loop those that leave in the middle of a step are counted with the others, or apart."},
    {U::LateReconvergence, "assumed-late-reconvergence", S::MachineCode,
     "lanes that leave the loop at different iterations reconverge after it, before the next round of the loop around it",
     "A loop lies in another one without a barrier. Lanes that leave it early may run on without those that are still in it."},
    {U::LaneGroups, "assumed-lane-groups", S::Source,
     "groups of lanes vote, match or reduce apart, and nvcc moves no access to where one group runs at a time",
     "The members of a `__ballot_sync`, `__match_any_sync` or `__reduce_*_sync` are computed; nvcc runs one group after the other, and may move accesses between the barriers in there."},
    {U::CopyBranch, "assumed-copy-branch", S::Source,
     "nvcc branches to the end of the kernel where this copy is not made, and does not predicate the copy",
     "Some lanes leave the kernel before an asynchronous copy: it is branched around, or predicated, and hardware counters differ between the two."},
    {U::MissingLanes, "assumed-missing-lanes", S::MachineCode,
     "lanes that do not come to an exchange or a barrier of the warp that names them reconverge with the others after it",
     "A `__shfl_sync`, a vote or a `__syncwarp` names lanes that may be elsewhere, which CUDA leaves undefined. nvcc sets up no convergence barrier around it, so that lanes that do not come to it "
     "may run on alone."},
    {U::MissingBody, "assumed-missing-body", S::Source,
     "functions whose bodies are missing access nothing on this line",
     "The kernel calls a function that is left out for an error, or that another file defines. It may access memory on the same lines by way of a function that both call; and nvcc optimises "
     "across what is left out here."},
    {U::BlockOrder, assumption_id::block_order, S::MachineCode,
     "blocks come to the atomic at that line in the order of their indices, and find 0 there",
     "A block draws its number from an atomic counter: which one it gets depends on the order in which blocks come there."},
    {U::ChangedValue, assumption_id::changed_value, S::MachineCode, "every one of these atomics changes the value",
     "An atomic without an instruction of its own is a loop of compare-and-swap, of which lanes that update one word need several rounds; one that leaves the value as it is ends earlier."},
    {U::Calibration, "assumed-calibration", S::Source, "the model of nvcc is right here",
     "Against machine code of public kernels the model was right in fewer than 99.9% of the accesses that rest on nothing in particular, so that none of them is claimed."},
};

consteval bool in_order() {
  for (std::size_t i = 0; i < std::size(kAll); ++i)
    if (kAll[i].kind != static_cast<Uncertainty>(i))
      return false;
  return kAll[std::size(kAll) - 1].kind == U::Calibration;
}
static_assert(in_order());

} // namespace

std::span<const UncertaintyInfo> all_uncertainties() { return kAll; }

const UncertaintyInfo &info_of(Uncertainty kind) { return kAll[static_cast<std::size_t>(kind)]; }

const UncertaintyInfo *find_uncertainty(std::string_view id) {
  const auto found = std::ranges::find(kAll, id, &UncertaintyInfo::id);
  return found == std::end(kAll) ? nullptr : found;
}

Assumption assumption(Uncertainty kind, std::string text) {
  const UncertaintyInfo &info = info_of(kind);
  return {text.empty() ? std::string(info.sentence) : std::move(text), {}, std::string(info.id)};
}

OpenChoices open_choices_of_source() {
  OpenChoices open = open_choices_of_machine_code();
  for (const auto &[choice, kind] :
       {std::pair(OpenChoice::InvariantAccess, U::LoopInvariantAccess),
        std::pair(OpenChoice::UnevenLoop, U::UnevenUnroll), std::pair(OpenChoice::LaneGroups, U::LaneGroups),
        std::pair(OpenChoice::SkippedCopy, U::CopyBranch)})
    open[index_of(choice)] = assumption(kind);
  return open;
}

OpenChoices open_choices_of_machine_code() {
  OpenChoices open;
  open[index_of(OpenChoice::LateExit)] = assumption(U::LateReconvergence);
  open[index_of(OpenChoice::MissingLanes)] = assumption(U::MissingLanes);
  return open;
}

} // namespace smem
