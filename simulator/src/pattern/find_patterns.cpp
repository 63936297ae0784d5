#include "smem/pattern.h"

#include <algorithm>
#include <map>

#include "interpret.h"
#include "price.h"

namespace smem {
namespace {

using namespace pattern;

constexpr std::uint64_t kMostInterpretations = 160; ///< of one program, for blocks whose rows are whole warps
constexpr std::uint64_t kFewInterpretations = 12;   ///< of shapes that few blocks have
constexpr std::uint64_t kMostWork = 200'000;        ///< instructions in all of those
constexpr unsigned kMostSplits = 3;                 ///< quantities that are known in part at a time
constexpr std::size_t kMostCasesOfSite = 24;

Why other(std::string text) {
  Why why;
  why.text = std::move(text);
  return why;
}

/// The cases of one operation under one combination of suppositions.
struct Leaf {
  std::vector<std::pair<std::string, Supposed>> supposed;
  Cases cases;
};

struct Found {
  bool reached = false;
  std::vector<Leaf> leaves;
  std::optional<Why> why;
  bool bounded = false; ///< nothing but a bound is known, which holds for all
};

class Search {
public:
  Search(const Program &program, const Architecture &architecture)
      : subject_{program, architecture, analyze_control_flow(program),
                 layout_shared(program.shared_arrays, architecture)},
        scopes_(Box{{{0, 1, 0, 1}, {1, 1, 0, 1}, {2, 1, 0, 1}}}), constants_(scopes_, symbols_, reasons_, floating_) {
    for (const BasicBlock &block : program.blocks)
      size_ += block.phis.size() + block.instructions.size();
  }

  std::vector<Pattern> run() {
    const Program &program = subject_.program;
    std::vector<std::vector<std::optional<Pattern>>> by_shape;
    const bool laid_out = reads_layout();
    std::vector<BlockShape> shapes{BlockShape::WholeWarps, BlockShape::Line};
    if (laid_out)
      shapes = {BlockShape::WholeWarps, BlockShape::Line,  BlockShape::Rows16,
                BlockShape::Rows8,      BlockShape::Rows4, BlockShape::Other};
    for (const BlockShape shape : shapes) {
      found_.assign(program.memory_operations.size(), {});
      std::vector<bool> all(program.memory_operations.size(), true);
      interpretations_ = 0;
      explore(shape, {}, all, 0);
      std::vector<std::optional<Pattern>> own;
      for (std::size_t site = 0; site < program.sites.size(); ++site)
        own.push_back(of_site(static_cast<SiteId>(site), shape));
      by_shape.push_back(std::move(own));
    }
    std::vector<Pattern> result;
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

  void explore(BlockShape shape, const Suppositions &supposed, const std::vector<bool> &wanted, unsigned depth) {
    const Program &program = subject_.program;
    const std::uint64_t most =
        shape == BlockShape::WholeWarps
            ? std::clamp<std::uint64_t>(kMostWork / std::max<std::uint64_t>(size_, 1), 1, kMostInterpretations)
            : std::min(kMostWork / 10 / std::max<std::uint64_t>(size_, 1), kFewInterpretations);
    if (++interpretations_ > most) {
      for (std::size_t o = 0; o < wanted.size(); ++o)
        if (wanted[o] && program.memory_operations[o].site != kNone && !found_[o].why && !found_[o].bounded)
          give_up(shape, o, other("too many cases"));
      return;
    }
    const Interpretation seen = interpret(subject_, shape, supposed, constants_);
    std::map<std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>, std::vector<bool>> splits;
    for (std::size_t o = 0; o < wanted.size(); ++o) {
      if (!wanted[o] || program.memory_operations[o].site == kNone || found_[o].why || found_[o].bounded)
        continue;
      Found &found = found_[o];
      if (!seen.settled) {
        give_up(shape, o, other("loops that carry too much"));
        continue;
      }
      const Seen &operation = seen.operations[o];
      if (!operation.reached)
        continue;
      found.reached = true;
      auto priced = pricing_.of(program.memory_operations[o], operation, seen.domain);
      if (auto *cases = std::get_if<Cases>(&priced)) {
        Leaf leaf;
        leaf.supposed.assign(supposed.begin(), supposed.end());
        leaf.cases = std::move(*cases);
        found.leaves.push_back(std::move(leaf));
        continue;
      }
      Why &why = std::get<Why>(priced);
      if (why.kind == Why::Kind::Split && depth < kMostSplits) {
        auto &group = splits[{why.key, why.modulus, why.least, why.most}];
        group.resize(wanted.size());
        group[o] = true;
      } else {
        give_up(shape, o, std::move(why));
      }
    }
    for (const auto &[split, operations] : splits) {

      const auto &[key, modulus, least, most] = split;
      Supposed one;
      for (DimensionId d = kFirstSymbol; d < kFirstSymbol + seen.domain.size(); ++d)
        if (const Quantity &q = seen.domain.quantity(d); q.key == key) {
          one.name = q.name;
          one.argument = q.argument;
          one.offset = q.offset;
          one.width = q.width;
        }
      one.modulus = modulus;
      const std::int64_t first = modulus ? 0 : least, last = modulus ? modulus - 1 : most;
      for (std::int64_t value = first; value <= last; ++value) {
        one.remainder = value;
        Suppositions more = supposed;
        more.emplace(key, one);
        explore(shape, more, operations, depth + 1);
      }
    }
  }

  /// Of a shape that few blocks have a bound will do.
  void give_up(BlockShape shape, std::size_t operation, Why why) {
    Found &found = found_[operation];
    found.reached = true;
    const MemoryOperation &instruction = subject_.program.memory_operations[operation];
    // The memory of a generic address is part of what is not known.
    const bool none = shape == BlockShape::WholeWarps || why.kind == Why::Kind::Data ||
                      instruction.space == AddressSpace::Generic;
    const auto bound = none ? std::nullopt : worst(instruction.access, subject_.architecture);
    if (!bound) {
      found.why = std::move(why);
      return;
    }
    Leaf leaf;
    leaf.cases.push_back(*bound);
    found.leaves = {leaf};
    found.bounded = true;
  }

  static PatternCondition condition(const Supposed &s, const std::vector<std::int64_t> &values) {
    PatternCondition c;
    c.kind = s.argument != kNone ? PatternCondition::Kind::Argument : PatternCondition::Kind::Quantity;
    c.argument = s.argument;
    c.offset = s.offset;
    c.width = s.width;
    c.name = s.name;
    if (s.modulus == 0)
      c.values = values;
    else {
      c.modulus = static_cast<std::uint32_t>(s.modulus);
      for (const std::int64_t v : values)
        c.remainders.push_back(static_cast<std::uint32_t>(v));
    }
    return c;
  }

  /// The cases of an operation over all that was supposed.
  static Cases of_leaves(std::vector<Leaf> leaves) {
    if (leaves.empty())
      return {};
    // Values of the last quantity that make no difference are one case.
    bool merged = true;
    while (merged && leaves.size() > 1) {
      merged = false;
      if (std::all_of(leaves.begin(), leaves.end(), [&](const Leaf &l) { return l.cases == leaves[0].cases; })) {
        Cases all = leaves[0].cases;
        return all;
      }
    }
    if (leaves.size() == 1)
      return leaves[0].cases; // whatever else was supposed is never reached
    Cases all;
    const bool simple = std::all_of(leaves.begin(), leaves.end(), [&](const Leaf &l) {
      return l.supposed.size() == 1 && l.supposed[0].first == leaves[0].supposed[0].first;
    });
    std::vector<bool> done(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (done[i])
        continue;
      std::vector<PatternCondition> when;
      std::vector<std::int64_t> values;
      for (std::size_t j = i; j < leaves.size(); ++j) {
        if (!(leaves[j].cases == leaves[i].cases) || (!simple && j != i))
          continue;
        done[j] = true;
        if (simple)
          values.push_back(leaves[j].supposed[0].second.remainder);
      }
      if (simple)
        when.push_back(condition(leaves[i].supposed[0].second, values));
      else
        for (const auto &[key, one] : leaves[i].supposed)
          when.push_back(condition(one, {one.remainder}));
      for (PatternCase c : leaves[i].cases) {
        c.when.insert(c.when.begin(), when.begin(), when.end());
        all.push_back(std::move(c));
      }
    }
    return all;
  }

  static void add(Cases &to, const Cases &from) {
    for (const PatternCase &c : from)
      if (std::find(to.begin(), to.end(), c) == to.end())
        to.push_back(c);
  }

  std::optional<Pattern> of_site(SiteId site, BlockShape shape) {
    const Program &program = subject_.program;
    Pattern out;
    bool reached = false;
    for (std::size_t o = 0; o < found_.size(); ++o) {
      const MemoryOperation &operation = program.memory_operations[o];
      if (operation.loop_load == site && found_[o].reached)
        return unknown("the atomic is a loop of compare-and-swap", program.sites[site].location);
      if (operation.site != site || !found_[o].reached)
        continue;
      reached = true;
      if (found_[o].why) {
        const Why &why = *found_[o].why;
        Pattern p = unknown(why.text, why.location.known() ? why.location : program.sites[site].location);
        if (why.kind == Why::Kind::Data)
          p.verdict = PatternVerdict::Data;
        return p;
      }
      add(out.cases, of_leaves(found_[o].leaves));
    }
    if (!reached)
      return std::nullopt;
    // Of shapes that few blocks have one figure will do.
    if (shape >= BlockShape::Rows16 && out.cases.size() > 2)
      out.cases = {upper_bound(out.cases)};
    out.verdict = PatternVerdict::Cases;
    return out;
  }

  static Pattern combine(const std::vector<std::pair<std::uint8_t, Pattern>> &shapes) {
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
        if (shape.shapes != (1u << kBlockShapes) - 1)
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
  Pricing pricing_{subject_};
  Scopes scopes_;
  Symbols symbols_;
  Reasons reasons_;
  FloatingReach floating_;
  Arithmetic constants_;
  std::vector<Found> found_;          ///< by memory operation
  std::uint64_t size_ = 0;            ///< of the program
  std::uint64_t interpretations_ = 0; ///< of the present shape
};

} // namespace

std::vector<Pattern> find_patterns(const Program &program, const Architecture &architecture) {
  return Search(program, architecture).run();
}

Pattern either(const Pattern &a, const Pattern &b) {
  if (!a.reached)
    return b;
  if (!b.reached)
    return a;
  const auto is_open = [](const Pattern &p) {
    return p.verdict == PatternVerdict::Data || p.verdict == PatternVerdict::Unknown;
  };
  if (is_open(a) || is_open(b))
    return a.verdict == PatternVerdict::Data || !is_open(b) ? a : b;
  Pattern out = a;
  for (const PatternCase &c : b.cases)
    if (std::find(out.cases.begin(), out.cases.end(), c) == out.cases.end())
      out.cases.push_back(c);
  if (out.reason.empty()) {
    out.reason = b.reason;
    out.reason_location = b.reason_location;
  }
  if (out.cases.size() > kMostCasesOfSite && out.reason.empty())
    out.cases = {upper_bound(out.cases)};
  out.verdict = out.cases.size() == 1 && out.cases[0].when.empty() && !out.cases[0].at_most ? PatternVerdict::Always
                                                                                            : PatternVerdict::Cases;
  return out;
}

BlockShape shape_of(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  if (x % 32 == 0)
    return BlockShape::WholeWarps;
  if (y == 1 && z == 1)
    return BlockShape::Line;
  if (x == 16 && y % 2 == 0)
    return BlockShape::Rows16;
  if (x == 8 && y % 4 == 0)
    return BlockShape::Rows8;
  if (x == 4 && y % 8 == 0)
    return BlockShape::Rows4;
  return BlockShape::Other;
}

} // namespace smem
