#include "smem/pattern.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "either.h"
#include "figures.h"
#include "inputs.h"
#include "interpret.h"
#include "leaves.h"
#include "price.h"
#include "residues.h"

namespace smem {
namespace {

using namespace pattern;

constexpr std::uint64_t kMostInterpretations = 160; ///< of one program, for blocks whose rows are whole warps
constexpr std::uint64_t kFewInterpretations = 12;   ///< of shapes that few blocks have
constexpr std::uint64_t kMostWork = 200'000;        ///< instructions in all of those
constexpr unsigned kMostSplits = 3;                 ///< quantities that are known in part at a time
constexpr std::size_t kMostTasks = 1024; ///< that wait; no more than kMostInterpretations of them are ever done
constexpr std::uint64_t kMostGroups = 6; ///< of operations of which the code says something else

/// What interpretations found of one operation.
struct Found {
  bool reached = false;
  bool exact = false; ///< one of the leaves is more than a bound
  std::vector<Leaf> leaves;
  std::optional<Why> open; ///< of a leaf that is a bound
  std::optional<Why> lost; ///< nothing can be said
};

/// An interpretation that is still to do.
struct Task {
  std::vector<ParameterFact> facts; ///< that hold wherever the operations are executed
  Suppositions supposed;
  std::vector<Branch> path;
  std::vector<bool> wanted; ///< by memory operation
};

class Search {
public:
  Search(const Program &program, const Architecture &architecture, PriceCache &prices)
      : subject_{program,
                 architecture,
                 analyze_control_flow(program),
                 layout_shared(program.shared_arrays, architecture),
                 {}},
        prices_(prices), scopes_(Box{{{0, 1, 0, 1}, {1, 1, 0, 1}, {2, 1, 0, 1}}}),
        constants_(scopes_, symbols_, reasons_, floating_) {
    subject_.operations = find_conditional_operations(program, subject_.flow);
    if (program.max_threads && *program.max_threads < kWarpSize)
      most_lanes_ = (LaneMask{1} << std::max(*program.max_threads, 1u)) - 1;
    for (const BasicBlock &block : program.blocks)
      size_ += block.phis.size() + block.instructions.size();
    for (const MemoryOperation &operation : program.memory_operations)
      spaces_.push_back(operation.space == AddressSpace::Generic ? std::nullopt
                                                                 : std::optional(operation.access.space));
    find_pieces();
  }

  std::vector<Pattern> run() {
    const Program &program = subject_.program;
    operations_of_.resize(program.sites.size());
    for (std::size_t o = 0; o < program.memory_operations.size(); ++o) {
      const MemoryOperation &operation = program.memory_operations[o];
      for (const SiteId site : {operation.site, operation.loop_load})
        if (site < program.sites.size() && (operations_of_[site].empty() || operations_of_[site].back() != o))
          operations_of_[site].push_back(o);
    }
    std::vector<std::vector<std::optional<Pattern>>> by_shape;
    const bool laid_out = reads_layout();
    std::vector<BlockShape> shapes{BlockShape::WholeWarps, BlockShape::Line};
    if (laid_out)
      shapes = {BlockShape::WholeWarps, BlockShape::Line,  BlockShape::Rows16,
                BlockShape::Rows8,      BlockShape::Rows4, BlockShape::Other};
    // No warp is whole: blocks of the other shapes have 32 threads at least.
    if (most_lanes_ != kFullMask)
      std::erase_if(shapes, [](BlockShape shape) { return shape != BlockShape::Line && shape != BlockShape::Other; });
    main_ = shapes[0];
    for (const BlockShape shape : shapes) {
      found_.assign(program.memory_operations.size(), {});
      in_lines_ = shape == BlockShape::WholeWarps || shape == BlockShape::Line;
      interpretations_ = 0;
      const std::uint64_t most = most_interpretations(shape);
      std::deque<Task> tasks = by_facts(most);
      while (!tasks.empty() && interpretations_ < most) {
        const auto next = next_of(tasks, most);
        const Task task = std::move(*next);
        tasks.erase(next);
        explore(shape, task, tasks);
      }
      give_up(std::move(tasks));
      std::vector<std::optional<Pattern>> own;
      for (std::size_t site = 0; site < program.sites.size(); ++site)
        own.push_back(of_site(static_cast<SiteId>(site), shape));
      by_shape.push_back(std::move(own));
    }
    std::vector<Pattern> result;
    std::vector<PatternInputs> inputs = inputs_of(program, subject_.flow);
    for (std::size_t site = 0; site < program.sites.size(); ++site) {
      std::vector<std::pair<std::uint8_t, Pattern>> own;
      for (std::size_t s = 0; s < shapes.size(); ++s) {
        if (!by_shape[s][site])
          continue;
        std::uint8_t bits = static_cast<std::uint8_t>(1u << static_cast<unsigned>(shapes[s]));
        // Where nothing depends on how lanes are laid out, the last warp may all the same have fewer.
        if (!laid_out)
          bits = shapes[s] == BlockShape::WholeWarps ? 1 : 0x3e;
        own.emplace_back(bits, *by_shape[s][site]);
      }
      result.push_back(program.sites[site].not_lowered.empty()
                           ? combine(own)
                           : unknown(program.sites[site].not_lowered, program.sites[site].location));
      result.back().inputs = std::move(inputs[site]);
    }
    return result;
  }

private:
  static Pattern unknown(std::string reason, SourceLocation location) {
    Pattern p;
    p.reason = std::move(reason);
    p.reason_location = std::move(location);
    return p;
  }

  bool reads_layout() const {
    for (const BasicBlock &block : subject_.program.blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::Special) {
          const auto which = static_cast<SpecialRegister>(i.immediate);
          if (which <= SpecialRegister::ThreadZ ||
              (which >= SpecialRegister::BlockDimX && which <= SpecialRegister::BlockDimZ))
            return true;
        }
    return false;
  }

  /// One task for all operations of which the code says the same of what their addresses are made of; where interpretations are few, one for all, with
  /// what is said of each.
  std::deque<Task> by_facts(std::uint64_t most) const {
    const Program &program = subject_.program;
    std::deque<Task> tasks;
    const auto add = [&](std::vector<ParameterFact> facts) {
      return tasks.insert(tasks.end(), Task{std::move(facts), {}, {}, std::vector<bool>(spaces_.size())});
    };
    std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> groups;
    for (std::size_t o = 0; o < spaces_.size(); ++o)
      groups[said_of(o)].push_back(o);
    if (groups.size() > std::max<std::uint64_t>(1, std::min<std::uint64_t>(most / 4, kMostGroups))) {
      add(facts_of_all_sites(program))->wanted.assign(spaces_.size(), true);
      return tasks;
    }
    for (const auto &[numbers, operations] : groups) {
      std::vector<ParameterFact> facts;
      for (const std::uint32_t number : numbers)
        facts.push_back(program.parameter_facts[number]);
      const auto task = add(std::move(facts));
      for (const std::size_t o : operations)
        task->wanted[o] = true;
    }
    return tasks;
  }

  /// What is said of an operation's arguments, as far as its addresses are made of them.
  std::vector<std::uint32_t> said_of(std::size_t operation) const {
    const MemoryOperation &one = subject_.program.memory_operations[operation];
    std::vector<std::uint32_t> numbers;
    for (const std::uint32_t number : one.facts)
      for (const RegisterId from : {one.address, one.source})
        if (from != kNone && made_of_.at(from) >> (piece_of_.at(number) & 63) & 1) {
          numbers.push_back(number);
          break;
        }
    return numbers;
  }

  /// Of registers: which of the pieces that the code says something of they are computed from.
  void find_pieces() {
    const Program &program = subject_.program;
    made_of_.assign(program.register_count, 0);
    std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint8_t>> pieces;
    for (const ParameterFact &fact : program.parameter_facts) {
      const auto own = std::tuple(fact.index, fact.offset, fact.width);
      const auto known = std::ranges::find(pieces, own);
      piece_of_.push_back(static_cast<std::uint32_t>(known - pieces.begin()));
      if (known == pieces.end())
        pieces.push_back(own);
    }
    for (bool changed = !pieces.empty(); changed;) {
      changed = false;
      const auto add = [&](RegisterId to, std::uint64_t bits) {
        changed |= (made_of_[to] | bits) != made_of_[to];
        made_of_[to] |= bits;
      };
      for (const BasicBlock &block : program.blocks) {
        for (const Phi &phi : block.phis)
          for (const Phi::Incoming &incoming : phi.incoming)
            add(phi.result, made_of_[incoming.value]);
        for (const Instruction &i : block.instructions) {
          if (i.result == kNone)
            continue;
          for (const RegisterId operand : i.operands)
            add(i.result, made_of_[operand]);
          if (i.opcode == Opcode::Argument)
            for (std::size_t p = 0; p < pieces.size(); ++p)
              if (pieces[p] == std::tuple(i.index, static_cast<std::uint64_t>(i.immediate), i.width))
                add(i.result, std::uint64_t{1} << (p & 63));
        }
      }
    }
  }

  std::uint64_t most_interpretations(BlockShape shape) const {
    const std::uint64_t size = std::max<std::uint64_t>(size_, 1);
    return shape == main_ ? std::clamp<std::uint64_t>(kMostWork / size, kMostSplits + 1, kMostInterpretations)
                          : std::min(kMostWork / 10 / size, kFewInterpretations);
  }

  /// First what is supposed of one quantity only; when half of the budget is gone, what is nearest to an end.
  std::deque<Task>::iterator next_of(std::deque<Task> &tasks, std::uint64_t most) const {
    if (interpretations_ < most / 2)
      return tasks.begin();
    return std::max_element(tasks.begin(), tasks.end(),
                            [](const Task &a, const Task &b) { return a.path.size() < b.path.size(); });
  }

  bool is_wanted(const Task &task, std::size_t operation) const {
    return task.wanted[operation] && subject_.program.memory_operations[operation].site != kNone &&
           !found_[operation].lost;
  }

  /// The budget is gone: bounds for what is left.
  void give_up(std::deque<Task> tasks) {
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const Task &a, const Task &b) { return a.path.size() > b.path.size(); });
    for (const Task &task : tasks)
      for (std::size_t o = 0; o < task.wanted.size(); ++o)
        if (is_wanted(task, o))
          bound(o, task.path, because("too many cases"));
  }

  /// Interprets, and adds what would have to be supposed beside.
  void explore(BlockShape shape, const Task &task, std::deque<Task> &tasks) {
    const Program &program = subject_.program;
    ++interpretations_;
    const Interpretation seen = interpret(subject_, shape, task.supposed, task.facts, constants_, experience_);
    struct Split {
      Why why;
      std::vector<bool> operations;
    };
    std::map<std::tuple<std::string, std::vector<Alternative>, bool>, Split> splits;
    for (std::size_t o = 0; o < task.wanted.size(); ++o) {
      if (!is_wanted(task, o))
        continue;
      Found &found = found_[o];
      if (!seen.settled) {
        bound(o, task.path, because("loops that carry too much"));
        continue;
      }
      const Seen &of_warps = seen.operations[o];
      if (!of_warps.reached || !(of_warps.activity.possible & most_lanes_))
        continue;
      const std::optional<Seen> of_fewer = fewer_lanes(of_warps);
      const Seen &operation = of_fewer ? *of_fewer : of_warps;
      found.reached = true;
      if (shape == main_ && task.path.empty())
        learn_space(o, operation, seen.domain);
      auto priced = price_of(subject_, program.memory_operations[o], operation, seen.domain, prices_);
      if (auto *cases = std::get_if<Cases>(&priced)) {
        found.exact = true;
        found.leaves.push_back({task.path, std::move(*cases)});
        continue;
      }
      Why &why = std::get<Why>(priced);
      if (const auto known = by_residue(o); known && !known->at_most) {
        found.exact = true;
        found.leaves.push_back({task.path, {*known}});
        continue;
      }
      if (why.kind == Why::Kind::Split && task.path.size() < kMostSplits && tasks.size() < kMostTasks) {
        Split &split = splits[{why.key, why.ways, why.complete}];
        split.operations.resize(task.wanted.size());
        split.operations[o] = true;
        split.why = std::move(why);
      } else {
        bound(o, task.path, std::move(why));
      }
    }
    for (auto &[id, split] : splits) {
      const auto &[key, ways, complete] = id;
      Branch branch;
      branch.quantity.key = key;
      for (DimensionId d = kFirstSymbol; d < kFirstSymbol + seen.domain.size(); ++d)
        if (const Quantity &q = seen.domain.quantity(d); q.key == key)
          branch.quantity = q;
      for (const Alternative &way : ways) {
        Task more{task.facts, task.supposed, task.path, split.operations};
        more.supposed.emplace(key, way);
        branch.ways = {way};
        more.path.push_back(branch);
        tasks.push_back(std::move(more));
      }
      if (complete)
        continue;
      branch.ways = ways;
      branch.none = true;
      std::vector<Branch> rest = task.path;
      rest.push_back(branch);
      split.why.kind = Why::Kind::Other;
      for (std::size_t o = 0; o < split.operations.size(); ++o)
        if (split.operations[o])
          bound(o, rest, split.why);
    }
  }

  /// Of kernels whose blocks have less than a warp's threads.
  std::optional<Seen> fewer_lanes(const Seen &of_warps) const {
    if (most_lanes_ == kFullMask)
      return std::nullopt;
    Seen seen = of_warps;
    seen.activity.possible &= most_lanes_;
    seen.reading.possible &= most_lanes_;
    return seen;
  }

  /// Where a generic address lies, if nothing has to be supposed for that: it is a matter of which pointer it is made of, not of the block's shape.
  void learn_space(std::size_t operation, const Seen &seen, const Domain &domain) {
    const auto space = space_of(subject_.program.memory_operations[operation], seen, domain);
    if (const Space *known = std::get_if<Space>(&space); known)
      spaces_[operation] = *known;
  }

  /// Where an operation is not known otherwise: no more than the worst that lanes can do.
  void bound(std::size_t operation, const std::vector<Branch> &path, Why why) {
    Found &found = found_[operation];
    found.reached = true;
    const MemoryOperation &instruction = subject_.program.memory_operations[operation];
    Access access = instruction.access;
    if (spaces_[operation])
      access.space = *spaces_[operation];
    // The memory of a generic address may be part of what is not known.
    const bool none = why.kind == Why::Kind::Data || !spaces_[operation];
    auto most = none ? std::nullopt : worst(access, subject_.architecture, most_lanes_);
    if (const auto less = most ? by_residue(operation) : std::nullopt)
      most = less;
    if (!most) {
      found.lost = std::move(why);
      return;
    }
    found.leaves.push_back({path, {*most}});
    if (!found.open)
      found.open = std::move(why);
  }

  /// What an operation costs at most by the banks that its lanes have.
  std::optional<PatternCase> by_residue(std::size_t operation) {
    const MemoryOperation &own = subject_.program.memory_operations[operation];
    if (!in_lines_ || spaces_[operation] != Space::Shared || own.address == kNone)
      return std::nullopt;
    if (residues_.empty())
      residues_ = residues_of(subject_);
    Access access = own.access;
    access.space = Space::Shared;
    return worst_of(residues_[own.address], access, subject_.architecture, most_lanes_);
  }

  std::optional<Pattern> of_site(SiteId site, BlockShape shape) {
    const Program &program = subject_.program;
    Pattern out;
    bool reached = false, bounded = false;
    for (const std::size_t o : operations_of_[site]) {
      const MemoryOperation &operation = program.memory_operations[o];
      if (operation.loop_load == site && found_[o].reached)
        return unknown("the atomic is a loop of compare-and-swap", program.sites[site].location);
      if (operation.site != site || !found_[o].reached)
        continue;
      const Found &found = found_[o];
      // Of a shape that few blocks have a bound will do.
      const bool bare = shape == main_ && !found.exact;
      if (found.lost || (found.open && bare)) {
        const Why &why = found.lost ? *found.lost : *found.open;
        Pattern p = unknown(why.text, why.location.known() ? why.location : program.sites[site].location);
        // In rows that are no whole warps the lanes of one may load several values where those of others load one.
        if (why.kind == Why::Kind::Data && shape == main_)
          p.verdict = PatternVerdict::Data;
        return p;
      }
      bounded |= found.open.has_value();
      Cases own = of_leaves(found.leaves);
      out.cases = reached ? of_copies(out.cases, own) : std::move(own);
      reached = true;
    }
    if (!reached)
      return std::nullopt;
    // Of shapes that few blocks have one figure will do.
    if (shape >= BlockShape::Rows16 ? out.cases.size() > 2 : shape != main_ && bounded)
      out.cases = {upper_bound(out.cases)};
    out.verdict = PatternVerdict::Cases;
    return out;
  }

  Pattern combine(const std::vector<std::pair<std::uint8_t, Pattern>> &shapes) const {
    // Shapes that no block has are like any other.
    constexpr std::uint8_t kSmall =
        1u << static_cast<unsigned>(BlockShape::Line) | 1u << static_cast<unsigned>(BlockShape::Other);
    const auto never = static_cast<std::uint8_t>(most_lanes_ != kFullMask ? kAllShapes & ~kSmall : 0);
    if (shapes.empty()) {
      Pattern none = unknown("no lane reaches it", {});
      none.reached = false;
      return none;
    }
    // What is not known where rows of threads are whole warps is not known. Of other shapes the cases say nothing then.
    const auto is_open = [](const Pattern &p) {
      return p.verdict == PatternVerdict::Data || p.verdict == PatternVerdict::Unknown;
    };
    Pattern out;
    out.verdict = PatternVerdict::Cases;
    std::vector<bool> done(shapes.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const auto &[bits, p] = shapes[i];
      if (!is_open(p))
        continue;
      if (i == 0 || p.verdict == PatternVerdict::Data)
        return p;
      done[i] = true;
      out.reason = p.reason;
      out.reason_location = p.reason_location;
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (done[i])
        continue;
      PatternCondition shape;
      shape.kind = PatternCondition::Kind::Shape;
      for (std::size_t j = i; j < shapes.size(); ++j) {
        if (is_open(shapes[j].second) || !(shapes[j].second.cases == shapes[i].second.cases))
          continue;
        done[j] = true;
        shape.shapes |= shapes[j].first;
      }
      for (PatternCase c : shapes[i].second.cases) {
        if ((shape.shapes | never) != kAllShapes)
          c.when.insert(c.when.begin(), shape);
        out.cases.push_back(std::move(c));
      }
    }
    if (out.cases.size() > kMostCasesOfSite && out.reason.empty())
      out.cases = {upper_bound(out.cases)};
    if (out.cases.size() == 1 && out.cases[0].when.empty() && !out.cases[0].at_most)
      out.verdict = PatternVerdict::Always;
    return out;
  }

  Subject subject_;
  PriceCache &prices_;
  Scopes scopes_;
  Symbols symbols_;
  Reasons reasons_;
  FloatingReach floating_;
  Arithmetic constants_;
  std::vector<std::optional<Space>> spaces_; ///< by memory operation, as far as that is known
  Experience experience_;
  std::vector<std::uint64_t> made_of_;                  ///< by register: bits of pieces
  std::vector<std::uint32_t> piece_of_;                 ///< by Program::parameter_facts
  std::vector<Found> found_;                            ///< by memory operation
  std::vector<std::vector<std::size_t>> operations_of_; ///< by site: those that are of it, or in a loop for it
  std::vector<Residue> residues_;                       ///< by register; empty: they were not asked for
  bool in_lines_ = false;                               ///< the present shape is one that they hold of
  LaneMask most_lanes_ = kFullMask;                     ///< of a warp: blocks may have fewer threads at most
  BlockShape main_ = BlockShape::WholeWarps;            ///< the shape that nearly all blocks have
  std::uint64_t size_ = 0;                              ///< of the program
  std::uint64_t interpretations_ = 0;                   ///< of the present shape
};

} // namespace

struct PatternFinder::Shared {
  const Architecture &architecture;
  PriceCache prices;
};

PatternFinder::PatternFinder(const Architecture &architecture) : shared_(new Shared{architecture, {}}) {}
PatternFinder::~PatternFinder() = default;

std::vector<Pattern> PatternFinder::find(const Program &program) const {
  return Search(program, shared_->architecture, shared_->prices).run();
}

std::vector<Pattern> find_patterns(const Program &program, const Architecture &architecture) {
  return PatternFinder(architecture).find(program);
}

} // namespace smem
