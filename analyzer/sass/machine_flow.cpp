#include "sass/machine_flow.h"

#include <algorithm>
#include <map>
#include <set>

#include "sass/operand.h"

namespace smem::compiled {
namespace {

constexpr std::size_t kMostBlocks = 8'000; // values are looked for backwards through all of them, recursively
constexpr std::size_t kDeepestCalls = 8;

class FlowFinder {
public:
  explicit FlowFinder(const ListedFunction &function) : function_(function) {}

  MachineFlow run() {
    find_leaders();
    contexts_.push_back({});
    work_.push_back({0, 0});
    number_of({0, 0});
    while (!work_.empty() && flow_.error.empty()) {
      const Key key = work_.back();
      work_.pop_back();
      build(key);
      if (flow_.blocks.size() > kMostBlocks)
        flow_.error = "the function is too large";
    }
    if (flow_.error.empty())
      order();
    return std::move(flow_);
  }

private:
  /// A block of a subroutine is one for each call of it.
  struct Context {
    std::size_t parent = 0, depth = 0;
    std::optional<std::size_t> back; ///< where it returns to
  };
  using Key = std::pair<std::size_t, std::size_t>; ///< context, instruction

  std::optional<std::size_t> target_of(const ListedInstruction &instruction) const {
    for (const std::string &text : instruction.operands)
      if (const MachineOperand operand = parse_operand(text); operand.kind == MachineOperand::Kind::Label)
        if (const auto label = function_.labels.find(operand.text);
            label != function_.labels.end() && label->second < function_.code.size())
          return label->second;
    return std::nullopt;
  }

  /// `BRX R2 -0x140` before address 0x140: the register is the offset of the target in the function, as tables in constant bank 2 have it.
  bool is_followed(const ListedInstruction &branch, std::size_t behind) const {
    if (branch.operands.size() != 1 || behind >= function_.code.size())
      return false;
    const std::string_view text = branch.operands[0];
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos || !parse_register(text.substr(0, space)))
      return false;
    const MachineOperand offset = parse_operand(text.substr(space + 1));
    return offset.kind == MachineOperand::Kind::Immediate &&
           offset.value == static_cast<std::int64_t>(0 - std::uint64_t{function_.code[behind].address});
  }

  void find_leaders() {
    leaders_ = {0, function_.code.size()};
    for (std::size_t i = 0; i < function_.code.size(); ++i) {
      const std::string_view base = base_of(function_.code[i].opcode);
      for (const std::string &target : function_.code[i].targets)
        if (const auto label = function_.labels.find(target); label != function_.labels.end())
          leaders_.insert(label->second);
      if (base == "BRX" || base == "BRXU")
        leaders_.insert(i + 1);
      if (base != "BRA" && base != "EXIT" && base != "CALL" && base != "RET" && base != "BPT" && base != "JMX" &&
          base != "JMXU" && base != "JMP")
        continue;
      leaders_.insert(i + 1);
      if (base == "BRA" || base == "CALL")
        if (const auto target = target_of(function_.code[i]))
          leaders_.insert(*target);
    }
  }

  std::size_t number_of(const Key &key) {
    const auto [entry, added] = numbers_.try_emplace(key, flow_.blocks.size());
    if (added) {
      flow_.blocks.emplace_back();
      work_.push_back(key);
    }
    return entry->second;
  }

  void build(const Key &key) {
    const auto [context, first] = key;
    const std::size_t number = number_of(key);
    if (done_.contains(number))
      return;
    done_.insert(number);
    if (first >= function_.code.size()) {
      flow_.error = "the code runs on behind its end";
      return;
    }
    MachineBlock block;
    block.first = first;
    block.end = *leaders_.upper_bound(first);
    std::vector<Key> next;
    const ListedInstruction &last = function_.code[block.end - 1];
    const std::string_view base = base_of(last.opcode);
    const Key behind{context, block.end};
    const bool conditional = !last.guard.empty() || (base == "BRA" && last.operands.size() > 1);
    if (base == "JMX" || base == "JMXU" || base == "JMP") {
      flow_.error = "a computed branch (" + last.opcode + ")";
      return;
    }
    if (base == "EXIT") {
      block.kind = conditional ? MachineBlock::End::MayExit : MachineBlock::End::Exit;
      if (conditional)
        next = {behind};
    } else if (base == "BRX" || base == "BRXU") {
      block.kind = MachineBlock::End::Switch;
      for (const std::string &target : last.targets)
        if (const auto label = function_.labels.find(target); label != function_.labels.end())
          next.emplace_back(context, label->second);
      if (next.empty() || next.size() != last.targets.size() || !last.guard.empty() ||
          !is_followed(last, behind.second)) {
        flow_.error = "a computed branch (" + last.opcode + ")";
        return;
      }
    } else if (base == "BPT" && last.guard.empty()) {
      block.kind = MachineBlock::End::Trap;
    } else if (base == "BRA" && !has_modifier(last.opcode, "DIV")) { // BRA.DIV: for warps that did not come together
      const auto target = target_of(last);
      if (!target) {
        flow_.error = "a branch to another function";
        return;
      }
      block.kind = conditional ? MachineBlock::End::Branch : MachineBlock::End::Falls;
      next = {{context, *target}};
      if (conditional)
        next.push_back(behind);
    } else if (base == "CALL" && target_of(last)) {
      if (contexts_[context].depth == kDeepestCalls) {
        flow_.error = "a call that cannot be followed";
        return;
      }
      contexts_.push_back({context, contexts_[context].depth + 1, block.end});
      next = {{contexts_.size() - 1, *target_of(last)}};
      if (conditional) {
        block.kind = MachineBlock::End::Branch;
        next.push_back(behind);
      }
    } else if (base == "RET") {
      const Context &now = contexts_[context];
      if (now.back) {
        next = {{now.parent, *now.back}};
        if (conditional) {
          block.kind = MachineBlock::End::Branch;
          next.push_back(behind);
        }
      } else {
        block.kind = conditional ? MachineBlock::End::MayExit : MachineBlock::End::Exit;
        if (conditional)
          next = {behind};
      }
    } else {
      next = {behind};
    }
    for (const Key &to : next)
      if (const std::size_t number_of_next = number_of(to);
          block.kind == MachineBlock::End::Branch ||
          std::find(block.successors.begin(), block.successors.end(), number_of_next) == block.successors.end())
        block.successors.push_back(number_of_next);
    flow_.blocks[number] = std::move(block);
  }

  void order() {
    std::vector<std::size_t> post, state(flow_.blocks.size());
    std::vector<std::pair<std::size_t, std::size_t>> stack{{0, 0}};
    state[0] = 1;
    while (!stack.empty()) {
      auto &[block, at] = stack.back();
      const auto &successors = flow_.blocks[block].successors;
      if (at < successors.size()) {
        const std::size_t to = successors[at++];
        if (!state[to]) {
          state[to] = 1;
          stack.emplace_back(to, 0);
        }
        continue;
      }
      post.push_back(block);
      stack.pop_back();
    }
    std::vector<std::size_t> position(flow_.blocks.size());
    for (std::size_t i = 0; i < post.size(); ++i)
      position[post[i]] = post.size() - 1 - i;
    std::vector<MachineBlock> ordered(post.size());
    for (const std::size_t old : post)
      ordered[position[old]] = std::move(flow_.blocks[old]);
    for (std::size_t i = 0; i < ordered.size(); ++i)
      for (std::size_t &to : ordered[i].successors) {
        to = position[to];
        ordered[to].predecessors.push_back(i);
      }
    flow_.blocks = std::move(ordered);
  }

  const ListedFunction &function_;
  std::set<std::size_t> leaders_;
  std::vector<Context> contexts_;
  std::map<Key, std::size_t> numbers_;
  std::set<std::size_t> done_;
  std::vector<Key> work_;
  MachineFlow flow_;
};

} // namespace

std::string_view base_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

bool has_modifier(std::string_view opcode, std::string_view modifier) {
  for (std::size_t at = opcode.find('.'); at != std::string_view::npos;) {
    const std::size_t next = opcode.find('.', at + 1);
    if (opcode.substr(at + 1, next == std::string_view::npos ? next : next - at - 1) == modifier)
      return true;
    at = next;
  }
  return false;
}

MachineFlow find_flow(const ListedFunction &function) { return FlowFinder(function).run(); }

} // namespace smem::compiled
