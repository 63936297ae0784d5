#include "nvcc/uncertainties.h"

#include <algorithm>

namespace smem {
namespace {

using U = Uncertainty;

// In the order of the enumeration.
constexpr UncertaintyInfo kAll[] = {
    {U::EqualTails, "assumed-tail-merging",
     "nvcc makes one access of those in the then and else blocks where the model does",
     "Both blocks of a branch end with the same access. Whether nvcc makes one of them, behind the branch, depends on what else stands in the blocks.",
     "Write the access once, behind the branch."},
    {U::Attribution, "assumed-source-line", "nvcc's line table counts no other line's access on this line",
     "An optimisation moved or combined an access and may have left it without its own line; hardware counters then show it on a neighbouring one.",
     "One access a statement, outside of macros and conditional expressions.", true},
    {U::Redundancy, "assumed-redundant-access", "nvcc neither eliminates nor repeats this access",
     "The same address is accessed before, in another block or iteration. nvcc may keep the value in a register, or load it again where registers are short.",
     "Keep the value in a local variable, and load it once.", true},
    {U::DeadStore, "assumed-dead-store", "nvcc keeps stores that nothing reads, and the loads for them",
     "Nothing in the kernel reads what is stored before it is overwritten or the kernel ends.",
     "Remove the store, or read what it stores.", true},
    {U::Unrolling, "assumed-unroll", "nvcc unrolls the loop as modelled",
     "Accesses of neighbouring iterations are merged or dropped once a loop is unrolled, and how far this one is depends on its size in nvcc's own terms.",
     "State it: `#pragma unroll N`."},
    {U::FirstIteration, "assumed-loop-peeling", "nvcc starts the loop at the same iteration for all lanes",
     "The loop does something only from some iteration on; nvcc may split its first iterations off.",
     "Write the first iterations in front of the loop."},
    {U::LoadSinking, "assumed-load-sinking",
     "nvcc places this load before the branch, or in the block that needs it, as modelled",
     "Only one side of a branch needs what is loaded in front of it. Lanes that take the other side load it, or not.",
     "Load it inside of the branch."},
    {U::IfConversion, "assumed-if-conversion", "nvcc if-converts this branch, or keeps it, as modelled",
     "A short branch becomes predicated instructions or a select, or stays a branch: lanes that do not take it make a request of their own, none, or join the others'.",
     "Write it without a branch, or with more than one statement in it."},
    {U::Vectorisation, "assumed-vectorisation", "nvcc vectorises adjacent accesses as modelled",
     "Adjacent accesses of one thread become one of 64 or 128 bits where nvcc can prove the alignment and that nothing is stored in between.",
     "Access a `float2`, `float4`, `int4`, ... yourself."},
    {U::LocalPointer, "assumed-local-pointer", "nvcc resolves the pointer that a local variable holds as modelled",
     "A pointer into shared or global memory is kept in an array or a structure of the thread; whether it stays in local memory decides which instruction accesses what it leads to.",
     "Index the array directly."},
    {U::StructureCopy, "assumed-structure-copy",
     "nvcc copies the structure as a whole, and loads its field separately, as modelled",
     "A structure is copied, and its fields are read beside that: nvcc copies it field by field, in words, or not at all.",
     "Copy the fields that are needed."},
    {U::FallThrough, "assumed-switch-reconvergence",
     "lanes that fall through to a case reconverge with those that the switch sends there, as modelled",
     "Several cases of a `switch` fall through to a common one. Its accesses are one request of all these lanes, or one for each case.",
     "Write the common part behind the `switch`."},
    {U::AddressSpace, "assumed-address-space",
     "nvcc knows the memory space of this atomic, although the function is not inlined",
     "A function that is not inlined does an atomic through a pointer whose memory its callers know.",
     "`__forceinline__`."},
    {U::SpinLoop, "assumed-spin-loop",
     "lanes that leave a loop of compare-and-swap at different times reconverge after it",
     "Lanes leave the loop one by one, as others let them. Where they run on together, what follows is one request.",
     "`__syncwarp()` behind the loop."},
    {U::AdjacentMerging, "assumed-adjacent-access", "nvcc recognises these accesses as adjacent, and merges them",
     "That the accesses are adjacent follows from arithmetic that nvcc may not see through.",
     "Write the indices as one base and constants: `p[i]`, `p[i + 1]`."},
    {U::MergedLine, "assumed-merged-line", "nvcc attributes accesses that it merges to the first of their lines",
     "Accesses of several lines are one instruction, which is counted on one of these lines.",
     "Write what is one access on one line."},
    {U::LostLocation, "assumed-lost-location",
     "nvcc merges or moves this access as modelled, and attributes it to this line",
     "An optimisation made this access of others and kept none of their lines.", "One access a statement."},
    {U::HeaderLine, "assumed-header-line",
     "the line table of nvcc's machine code has a row for each call of a header's function",
     "A function of a header is called on several lines; nvcc tells its calls apart where something of another line stands between them.",
     "Nothing: the sum over the calls is right."},
    {U::WaitLoop, "assumed-wait", "what waits on this line accesses nothing meanwhile",
     "A library's loop waits for a barrier or a copy. How often it looks depends on time.",
     "Nothing: what it costs is not the kernel's."},
    {U::Reconvergence, "assumed-reconvergence", "lanes that diverge reconverge after it",
     "Lanes part in a place that is not followed (a call that is not inlined, a loop left in its middle) and are taken to run on together behind it.",
     "`__syncwarp()` behind that place."},
    {U::AtomicAggregate, "assumed-atomic-aggregation",
     "every lane that gets here does its own atomic (nvcc may let one act for the warp)",
     "All lanes of a warp may update one address. Where nvcc proves that they do, it lets one lane do it for all of them.",
     "Reduce over the warp yourself and let one lane do the atomic."},
    {U::InvariantAccess, "assumed-loop-invariant-access",
     "nvcc does not move this access of one address out of its loop",
     "The address is the same in all iterations. nvcc keeps the value in a register where nothing else can change it, or merges unrolled iterations' accesses.",
     "Load it in front of the loop, or store it behind."},
    {U::UnevenLoop, "assumed-uneven-unroll",
     "lanes leave the loop at different iterations, and nvcc unrolls it no further",
     "Lanes of a warp leave a loop at different iterations. In an unrolled loop those that leave in the middle of a step are counted with the others, or apart.",
     "`#pragma unroll 1`."},
    {U::LateExit, "assumed-late-reconvergence",
     "lanes that leave the loop at different iterations reconverge behind it, before the next round of the loop around it",
     "A loop lies in another one without a barrier. Lanes that leave it early may run on without those that are still in it.",
     "`__syncwarp()` behind the inner loop."},
    {U::LaneGroups, "assumed-lane-groups",
     "groups of lanes vote, match or reduce apart, and nvcc moves no access to where one group runs at a time",
     "The members of a `__ballot_sync`, `__match_any_sync` or `__reduce_*_sync` are computed; nvcc runs one group after the other, and may move accesses between the barriers in there.",
     "Masks that are constants, or `__syncwarp()` between the vote and the accesses."},
    {U::SkippedCopy, "assumed-copy-branch",
     "nvcc branches to the end of the kernel where this copy is not made, and does not predicate the copy",
     "Some lanes leave the kernel in front of an asynchronous copy. A predicated one is counted otherwise by hardware than one behind a branch.",
     "Let all lanes copy, from a clamped address."},
    {U::BlockOrder, assumption_id::block_order,
     "blocks come to the atomic at that line in the order of their indices, and find 0 there",
     "A block draws its number from an atomic counter. Any order gives the same sums where all blocks do the same work, which is not proved.",
     "Nothing: it is how such kernels are meant."},
    {U::ChangedValue, assumption_id::changed_value, "every one of these atomics changes the value",
     "An atomic without an instruction of its own is a loop of compare-and-swap, of which lanes that update one word need several rounds; one that leaves the value as it is ends earlier.",
     "Nothing: rounds depend on data."},
};

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
       {std::pair(OpenChoice::InvariantAccess, U::InvariantAccess), std::pair(OpenChoice::UnevenLoop, U::UnevenLoop),
        std::pair(OpenChoice::LaneGroups, U::LaneGroups), std::pair(OpenChoice::SkippedCopy, U::SkippedCopy)})
    open[static_cast<std::size_t>(choice)] = assumption(kind);
  return open;
}

OpenChoices open_choices_of_machine_code() {
  OpenChoices open;
  open[static_cast<std::size_t>(OpenChoice::LateExit)] = assumption(U::LateExit);
  return open;
}

} // namespace smem
