// One warp executing a Program: 32 lanes, divergence and reconvergence, loops summarised where that is sound.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "machine.h"
#include "race/memories.h"

namespace smem {

class Warp {
public:
  enum class Status : std::uint8_t {
    Finished,
    AtBarrier,   ///< stopped behind a block barrier (only when asked to stop there)
    Arrived,     ///< back at the header that is being watched, with the same lanes
    Escaped,     ///< will not come back to the watched header like that
    Interrupted, ///< a period was wished for: Scopes::wished()
    OutOfSteps,
  };

  /// `shared` holds what the block's warps store in shared memory; null when no address depends on it.
  Warp(Machine &machine, Scopes &scopes, std::uint32_t index, CellMemory *shared);

  /// Runs until the warp ends, or until the next block barrier if `stop_at_barriers`.
  Status run(bool stop_at_barriers);

private:
  using Groups = std::array<LaneMask, kWarpSize>; ///< by lane: the active lanes that it is of one mind with
  /// A group of lanes that execute together.
  struct Path {
    BlockId block = 0;
    std::size_t next = 0; ///< instruction
    LaneMask mask = 0;
    BlockId reconverge = kNone;      ///< where the path ends by joining the one below it
    std::uint32_t meeting = kNone;   ///< where that is a place that not all of them need to come to
    std::uint32_t awaits = kNone;    ///< of the path that stands there for those who come: the meeting
    std::uint32_t why_uncertain = 0; ///< reason why it is not known that these lanes come here; 0: it is known
    bool may_be_apart = false;       ///< where it is not known: some of them may come without the others
    Gates gates;                     ///< conditions under which they come here, of the whole launch
    LaneMask merged = 0;             ///< lanes whose phis a conditional path has brought to where the path waits
    BlockId from = kNone;            ///< the block it came from, while it has just arrived
    bool arrived = false;
    std::shared_ptr<const race::TakenEdges> edges; ///< taken at branches that are not known, for the race watch

    /// Goes on at the beginning of a block, once those above it have come there.
    void wait_at(BlockId at, BlockId branch) {
      block = at;
      next = 0;
      from = branch;
      arrived = true;
    }
  };
  /// Of a loop whose end a choice decides (race/choices.h): some iterations are executed, then `period` that stand for any.
  struct ForAll {
    bool chosen = false;              ///< to go on has been a choice
    std::size_t iterations = 0;       ///< so far
    std::size_t begins = 0;           ///< after so many of them those begin that stand for any; 0: not yet
    std::size_t period = 0;           ///< of those
    bool closing = false;             ///< they are over: what follows has been looked at
    std::uint64_t barriers = 0;       ///< that the warp had passed at the latest arrival
    std::vector<Value> first;         ///< header phis when the loop was entered
    std::vector<Value> any;           ///< and at the begin of any iteration
    std::vector<std::int64_t> copies; ///< asynchronous ones under way then
  };
  /// What is remembered of a loop between its iterations.
  struct LoopState {
    std::size_t depth = 0;
    LaneMask mask = 0;
    std::uint64_t arrivals = 0; ///< with these lanes
    std::uint64_t retry_at = 0; ///< no further attempt before so many arrivals
    std::uint32_t failures = 0;
    std::uint64_t stepped = 0;          ///< iterations executed as they came, one after the other
    std::uint64_t stepped_from = 0;     ///< the machine's steps before them
    std::uint64_t look_at = 0;          ///< is_too_long() looks after so many of them
    std::uint32_t forgotten_visits = 0; ///< of the header, with forget_phis
    bool exhausted = false;        ///< all its iterations but the last are counted: the condition for another one fails
    std::uint32_t no_formula = 0;  ///< reason why its iterations are no formula
    std::uint32_t forget_phis = 0; ///< reason: make the header's phis unknown on arrival
    std::vector<std::shared_ptr<const Choice>> lines; ///< then: what is known of each all the same (race/lines.h)
    std::array<std::uint64_t, kWarpSize> entered{};   ///< by lane: times it came to the header
    std::vector<std::pair<LaneMask, Linear>> entered_besides; ///< as many times as the dimensions around the loop say
    std::vector<Linear> trips;                                ///< of the lanes that have left, each number once
    std::vector<std::vector<Value>> history;                  ///< header phis at the latest arrivals, oldest first
    ForAll for_all;
  };
  /// The condition for another iteration of a loop that is being summarised.
  struct Staying {
    std::vector<DimensionId> conditions; ///< by round
    BlockId from = kNone;
    bool several = false; ///< the loop may end in more than one place
  };
  struct Watch {
    BlockId header = kNone;
    std::size_t depth = 0;
    LaneMask mask = 0;
    Staying *staying = nullptr; ///< what is learnt of the loop's end, where that may be a formula
  };
  struct Snapshot;
  /// How a header phi is assumed to move in a summary.
  struct Recurrence {
    enum class Kind : std::uint8_t { Step, UnknownUniform, Unknown } kind = Kind::Step;
    Value step; ///< per iteration
    std::uint32_t reason = 0;
    std::uint64_t alignment = 1; ///< UnknownUniform: of every step
  };

  Status execute(const Watch &watch);
  /// `path` goes on to a block: takes its lanes off the list of meetings that do not lead there.
  void miss_meetings(Path &path, BlockId to);
  std::optional<Status> terminate(const Watch &watch);
  void transfer(BlockId from, BlockId to, std::uint32_t why_uncertain);
  void take_phis(BlockId from, BlockId to, LaneMask mask, bool uncertain, std::uint32_t why_uncertain);
  /// `together`: though it is not known which way, all lanes go the same.
  void diverge(const std::vector<std::pair<BlockId, LaneMask>> &edges, std::uint32_t why_uncertain,
               bool together = false);
  void leave();
  /// Lanes of a path under `gates` come to `to`, where another path may wait that does not depend on all of them.
  void join_phis(BlockId from, BlockId to, LaneMask mask, const Gates &gates);
  /// A branch on a condition that is the same for the whole launch; false if it is none.
  bool branch_on_symbol(const Value &condition, const Watch &watch);
  /// Iterations of a loop, those after which it goes on; nullopt with a reason if that is no formula. `conditions` are those of the
  /// rounds that each step of the dimension `loop` has.
  std::optional<Linear> iterations(const std::vector<DimensionId> &conditions, DimensionId loop, std::uint32_t &reason);

  void instruction(const Instruction &instruction, Path &path);
  Value special(const Instruction &instruction, LaneMask mask);
  Value exchange(const Instruction &instruction, LaneMask mask);
  /// Votes, matches and reductions: what the lanes of each mask of members bring.
  Value gather(const Instruction &instruction, LaneMask mask);
  /// An exchange or a barrier of the warp names lanes. No convergence barrier stands around one that names all, so that lanes that do not come
  /// are not waited for behind it either. Those that end are not missed, wherefore it shows when the others access memory.
  void miss_lanes(const Instruction &instruction, const Path &path);
  void miss_lanes(LaneMask missing, BlockId block);
  void find_missed(LaneMask mask);
  void assume_reconverged(BlockId after);
  /// Every lane of a group gets the same, whatever it is.
  Value told_alike(const Value &operand, unsigned width, const Groups &groups, LaneMask mask);
  Value vote(const Instruction &instruction, const Groups &groups, LaneMask mask);
  Value match(const Instruction &instruction, const Groups &groups, LaneMask mask);
  Value reduce(const Instruction &instruction, const Groups &groups, LaneMask mask);
  Value map_to_other_block(const Instruction &instruction, LaneMask mask);
  void report_passed_by(LaneMask mask);
  void barrier(const Instruction &instruction, const Path &path);
  /// Tells the race watch of a barrier; one that is not known loses the order.
  void watch_barrier(const Instruction &instruction, const Path &path);

  /// Of a barrier in shared memory: the race watch follows its phases, and nothing else does.
  void mbarrier(const Instruction &instruction, const Path &path);
  void watch_bulk_copy(const Instruction &instruction, const Path &path);
  /// The lanes of `path` where operand `on` of a barrier in shared memory or a bulk copy holds, as groups that have the same `values`: addresses
  /// in shared memory, and numbers. False: the race watch has lost what they do.
  struct Alike {
    LaneMask lanes = 0;
    std::vector<std::uint64_t> values;
  };
  bool group_alike(const Instruction &instruction, const Path &path, std::span<const RegisterId> values,
                   unsigned addresses, std::vector<Alike> &groups);
  /// What an atomic sum counts in, in shared memory, and by how much; nullopt: it is none, or not known.
  std::optional<std::pair<std::uint64_t, std::int64_t>> counter_of(const MemoryOperation &operation,
                                                                   const Value &address, LaneMask mask);
  /// The same in global memory, of the whole grid.
  std::optional<race::GlobalTickets::Counter> global_counter_of(const MemoryOperation &operation, LaneMask mask);
  /// What is known of the number that such an atomic returns (race/lines.h); null: nothing.
  std::shared_ptr<const Choice> ticket(const MemoryOperation &operation, LaneMask mask);
  /// An address in the block's own shared memory as an offset into it, as far as it is known; false: it may be in another block's.
  bool shared_offset(Value &address, LaneMask mask);

  /// Tells it which lanes an operation of the warp names.
  void watch_members(const Instruction &instruction, const Path &path);

  void memory(const MemoryOperation &operation, std::uint32_t index, Path &path);
  /// Tells the race watch of an access to the memory that it watches.
  void watch_races(const MemoryOperation &operation, std::uint32_t index, const Path &path);
  void watch_shared(const MemoryOperation &operation, race::WarpAccess access, LaneMask mask);
  void watch_global(const MemoryOperation &operation, race::WarpAccess access, LaneMask mask);
  std::shared_ptr<const race::StoredByLane> stored_values(const MemoryOperation &operation, LaneMask mask) const;
  void note_outside(const MemoryOperation &operation, const race::WarpAccess &access, std::uint64_t begin);
  void lose_races(const MemoryOperation &operation, const std::string &what);
  /// The space that a generic address points into; nullopt with a reason when it cannot be told.
  std::optional<AddressSpace> resolve(const MemoryOperation &operation, const Value &address, LaneMask mask,
                                      std::uint32_t &reason, std::uint32_t &object);
  /// A request whose address depends on data. True if it is counted all the same, because its cost does not.
  bool count_any_data(const MemoryOperation &operation, std::uint32_t index, const Value &address, LaneMask mask);
  /// `elsewhere`: lanes of the same instruction that go to other blocks.
  void count(const MemoryOperation &operation, std::uint32_t index, Space space, const Value &address, LaneMask mask,
             LaneMask elsewhere);
  /// An access whose cost does not depend on addresses.
  void count_without_addresses(std::uint32_t index, LaneMask mask);
  /// The lanes of `mask` whose address is in another block.
  LaneMask lanes_elsewhere(const Value &address, LaneMask mask) const;
  void count_copy(const MemoryOperation &operation, std::uint32_t index, const Value &destination, LaneMask writing,
                  const Value &source, LaneMask reading);
  /// The addresses of one side of a request; false (and the site marked) when the lanes' distances are not known. `global`: steps
  /// that make no difference to the cost are left out.
  bool describe(const MemoryOperation &operation, const Value &address, LaneMask mask, bool global, Event &event,
                Event::Side &side);
  void move_values(const MemoryOperation &operation, std::uint32_t index, AddressSpace space, std::uint32_t object,
                   const Value &address, LaneMask mask);
  /// What a load or an atomic returns is not known, but for what it is drawn from.
  void lose_results(const MemoryOperation &operation, LaneMask mask, std::uint32_t reason);
  void lose_values(const MemoryOperation &operation, LaneMask mask, std::uint32_t reason);
  /// `operation` is one of the program's.
  std::uint32_t load_reason(const MemoryOperation &operation);
  /// What is loaded from one address for all lanes of `mask`.
  DimensionId symbol_of_load(std::uint32_t index, AddressSpace space, const ValuePart &part, const Value &address,
                             LaneMask mask);
  /// Of what all threads of a block that load it now find in shared memory; nullopt: it may be something of this warp's alone.
  std::optional<DimensionId> symbol_in_block(const ValuePart &part, const Value &address, LaneMask mask,
                                             std::uint32_t reason);
  /// Of what all threads of a block are given at the barrier that they have come to last.
  DimensionId symbol_of_vote(const Instruction &instruction, std::uint32_t reason);
  std::uint32_t reason_of_load(const MemoryOperation &operation);
  /// What an atomic returns that counts blocks, if they come in order (tickets.h); nullopt if it does not.
  std::optional<Value> draw_ticket(std::uint32_t index, const Value &address, LaneMask mask);
  /// The block's index along an axis.
  Value block_index(unsigned axis, unsigned width, LaneMask mask);

  /// Lanes leave the loop by a branch of `from`; `last`: no lane of the path goes on.
  void leave_loop(std::uint32_t loop, BlockId from, LaneMask lanes, bool last);
  /// The counts of the sites of `loop` are right if it is unrolled as the program has it and, where lanes may be `late` for the next round of the loop around
  /// it, if they reconverge before.
  void assume_rolled(std::uint32_t loop, bool late);
  Status on_header(std::uint32_t loop, const Path &path, const Watch &watch);
  /// Of header phis that are known here, or on lines, and move by equal steps: what is known of them in all iterations to come.
  std::vector<std::shared_ptr<const Choice>> lines_of_phis(const Loop &loop, LaneMask mask);

  /// Goes on where a choice says, if the condition is one of the launch's or the block's; false if it is none.
  bool choose_way(const Value &condition);
  Status on_header_for_all(std::uint32_t loop, const Path &path, bool entered);
  /// Header phis become what any iteration finds in them, unless other iterations are wanted first.
  void begin_any_iteration(std::uint32_t loop, LaneMask mask);
  /// Whether the iterations have kept what they began with; what they have not is weakened.
  bool any_iteration_kept(std::uint32_t loop, LaneMask mask);
  /// Of all warps, what `value` is where they come to `place`.
  bool warps_agree(std::uint32_t loop, std::size_t phi, int place, const Value &value, LaneMask mask);
  /// Whether the loop, executed as it comes, needs many times the steps that are left. Then there is no use in going on.
  bool is_too_long(std::uint32_t loop, LaneMask mask);
  struct Comparison;
  static std::optional<Comparison> comparison_of(const Instruction &instruction, bool stays_if, bool swapped);
  /// Iterations that all these lanes still come to, at the beginning of one; 0: it is not known.
  std::uint64_t iterations_left(const Loop &loop, LaneMask mask) const;
  std::uint64_t iterations_left(const Loop &loop, const Induction &induction, const Comparison &comparison,
                                RegisterId phi, LaneMask mask) const;
  bool recurrences(const Loop &loop, const LoopState &state, LaneMask mask, std::int64_t &period,
                   std::vector<Recurrence> &out);
  Status summarise(std::uint32_t loop, std::int64_t period, std::vector<Recurrence> recurrences, LaneMask mask,
                   bool &advanced);
  void write(RegisterId reg, const Value &value, LaneMask mask) {
    Value &place = registers_[machine_.places.place[reg]];
    if (machine_.places.shared[reg])
      place.defined = 0;
    assign(place, value, mask);
  }
  const Value &read(RegisterId reg) const { return registers_[machine_.places.place[reg]]; }

  /// What a loop defines and others than its own block's instructions read.
  const std::vector<RegisterId> &carried(std::uint32_t loop) const { return machine_.carried[loop]; }
  Value &own(RegisterId reg) { return registers_[machine_.places.place[reg]]; }

  Machine &machine_;
  const Program &program_;
  Scopes &scopes_;
  Arithmetic arithmetic_;
  std::uint32_t index_;
  LaneMask alive_ = 0;
  bool stop_at_barriers_ = false;
  bool stored_ = false; ///< tracked memory changed since the flag was last cleared
  bool barrier_pending_ = false;
  LaneMask passed_by_ = 0; ///< lanes that have not come to the latest barrier that only some have come to
  const Instruction *passed_at_ = nullptr; ///< which one
  LaneMask may_have_come_ =
      0; ///< lanes that have come to a barrier since all had, if a branch is taken that is not decided
  /// Lanes that have not come to an exchange, or a barrier, that names them, and its block.
  std::vector<std::pair<LaneMask, BlockId>> missed_;
  std::uint64_t barriers_ = 0;         ///< that it has passed; counted for choices only
  std::vector<std::uint32_t> entries_; ///< by loop: times it was entered; likewise
  CellMemory *shared_;
  CellMemory local_;
  std::vector<Value> registers_;        ///< by place
  std::vector<const Value *> operands_; ///< of the instruction that is executed, where those are a list
  std::vector<Path> paths_;
  std::vector<LoopState> loops_;
};

} // namespace smem
