// The frame of a kernel's lowering: its description, its blocks, its control flow.
#include "ir/kernel_lowering.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include "ir/count_arithmetic.h"
#include "ir/lower.h"
#include "nvcc/cicc/unrolling.h"
#include "nvcc/lines/equal_line_numbers.h"
#include "nvcc/cicc/inlining.h"
#include "nvcc/ptxas/aggregate_atomics.h"
#include "nvcc/target.h"
#include "nvcc/ptxas/shared_layout.h"
#include "nvcc/ptxas/waiting_loops.h"
#include "nvcc/uncertainties.h"
#include "support/paths.h"
#include "program/counting_program.h"
#include "program/lanes_apart.h"

namespace smem {

std::string kernel_display_name(const std::string &mangled) {
  std::string text = llvm::demangle(mangled);
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (depth == 0 && text[i] == ' ' && text.compare(0, 5, "void ") == 0) {
      text.erase(0, 5);
      break;
    }
  }
  depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (depth == 0 && text[i] == '(' && text.compare(i, 11, "(anonymous ") != 0)
      return text.substr(0, i);
  }
  return text;
}

namespace lower {
namespace {

/// A number that `nvvm.annotations` or a function attribute gives for the kernel.
std::optional<std::uint32_t> annotation(const llvm::Function &kernel, llvm::StringRef key) {
  if (const llvm::Attribute attribute = kernel.getFnAttribute(("nvvm." + key).str()); attribute.isStringAttribute()) {
    std::uint32_t number = 0;
    if (!attribute.getValueAsString().split(',').first.getAsInteger(10, number))
      return number;
  }
  const llvm::NamedMDNode *annotations = kernel.getParent()->getNamedMetadata("nvvm.annotations");
  if (!annotations)
    return std::nullopt;
  for (const llvm::MDNode *node : annotations->operands()) {
    if (llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0)) != &kernel)
      continue;
    for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
      const auto *name = llvm::dyn_cast<llvm::MDString>(node->getOperand(i));
      const auto *number = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(i + 1));
      if (name && number && name->getString() == key)
        return static_cast<std::uint32_t>(number->getZExtValue());
    }
  }
  return std::nullopt;
}

std::string type_name(const llvm::Type &type) {
  if (type.isPointerTy())
    return "pointer";
  std::string text;
  llvm::raw_string_ostream out(text);
  type.print(out);
  return text;
}

} // namespace

KernelLowering::KernelLowering(llvm::Function &kernel, const SourceIndex &index, Locations &locations,
                               const CompilerRules &rules)
    : kernel_(kernel), layout_(kernel.getDataLayout()), index_(index), locations_(locations), rules_(rules),
      builder_(program_), floats_(builder_, kernel), shared_lines_(index) {}

Program KernelLowering::run() {
  describe_kernel();
  describe_shared_arrays();

  const llvm::ReversePostOrderTraversal<llvm::Function *> order(&kernel_);
  for (const llvm::BasicBlock *block : order)
    blocks_[block] = builder_.new_block();
  builder_.enter(0);
  for (const llvm::Argument &argument : kernel_.args()) {
    Registers registers;
    for (const Component &component : components_of(argument.getType(), layout_))
      // A structure by value lives in a space of its own, where nothing else points: its address is 0 there.
      registers.push_back(argument.hasByValAttr()
                              ? builder_.constant(64, 0)
                              : builder_.leaf(Opcode::Argument, component.width, argument.getArgNo(),
                                              static_cast<std::int64_t>(component.byte_offset)));
    define(argument, std::move(registers));
  }
  for (const llvm::BasicBlock *block : order)
    lower_block(*block);
  for (const llvm::BasicBlock *block : order)
    complete_phis(*block);
  builder_.place_leaves();
  program_.open = open_choices_of_source();
  shared_lines_.mark(program_);
  mark_equal_line_numbers(program_, kernel_, locations_, index_);
  // nvcc leaves constants in memory that a library's timeouts are compared with, and how often depends on how long is waited.
  for (Site &site : program_.sites)
    if (site.assumption.empty() && waits_.contains({site.location.file, site.location.line}))
      site.assumption = assumption(Uncertainty::Wait);
  if (!not_followed_.empty())
    for (Site &site : program_.sites)
      if (site.assumption.empty())
        site.assumption = assumption(Uncertainty::Reconvergence,
                                     "lanes that diverge in the " + not_followed_ + " reconverge after it");
  note_missing_bodies();
  std::vector<BlockId> waiting;
  for (const llvm::BasicBlock *header : waiting_loops(kernel_))
    waiting.push_back(blocks_.lookup(header));
  constexpr unsigned kWarpReductions = 80; // REDUX
  aggregate_atomics(program_, architecture_of(kernel_) >= kWarpReductions && !had_calls(kernel_));
  note_lanes_apart(program_, waiting);
  find_parameter_facts(program_, assumed_, ending_);
  return std::move(program_);
}

/// Of the user's files that another one includes, too: a header's line is one row, whoever calls it.
void KernelLowering::note_missing_bodies() {
  const llvm::DISubprogram *subprogram = kernel_.getSubprogram();
  const llvm::DICompileUnit *unit = subprogram ? subprogram->getUnit() : nullptr;
  const std::string source =
      unit ? normalise_path(unit->getFilename().str(), unit->getDirectory().str()) : std::string();
  for (Site &site : program_.sites) {
    if (!site.assumption.empty())
      continue;
    if (!left_out_.empty())
      site.assumption =
          assumption(Uncertainty::MissingBody, left_out_ + ", which is left out, accesses nothing on this line, "
                                                           "and nvcc makes nothing else of this access for it");
    else if (!elsewhere_.empty() && site.location.file != source)
      site.assumption = assumption(Uncertainty::MissingBody,
                                   elsewhere_ + ", whose body is not in this file, accesses nothing on this line");
  }
}

KernelArithmetic KernelLowering::arithmetic(const Program &program) const {
  std::map<BlockId, BlockArithmetic> blocks;
  for (const auto &[site, places] : marked_)
    if (const auto &[block, times] = *places.begin(); places.size() == 1)
      blocks[blocks_.lookup(block)].markers.push_back({site, times});
  KernelArithmetic found;
  std::vector<BlockWork> others;
  for (const llvm::BasicBlock &block : kernel_) {
    if (!blocks_.contains(&block))
      continue;
    const ArithmeticWork work = arithmetic_of(block);
    if (work == ArithmeticWork())
      continue;
    const BlockId id = blocks_.lookup(&block);
    if (const auto known = blocks.find(id); known != blocks.end()) {
      known->second.each = work;
      found.blocks.push_back(std::move(known->second));
    } else {
      others.emplace_back(id, work);
    }
  }
  found.others = count_blocks(program, others, /*outside_of_loops=*/false);
  return found;
}

void KernelLowering::describe_kernel() {
  program_.mangled = kernel_.getName().str();
  const auto source = index_.kernels.find(program_.mangled);
  if (source != index_.kernels.end()) {
    program_.kernel = source->second.display;
    program_.location = source->second.location;
    program_.parameters = source->second.parameters;
    program_.max_threads = source->second.max_threads;
    program_.min_blocks = source->second.min_blocks;
  }
  if (program_.kernel.empty())
    program_.kernel = kernel_display_name(kernel_.getName().str());
  if (!program_.location.known())
    if (const llvm::DISubprogram *subprogram = kernel_.getSubprogram())
      program_.location = locations_.of(*subprogram);
  if (program_.parameters.size() != kernel_.arg_size()) {
    program_.parameters.clear();
    for (const llvm::Argument &argument : kernel_.args()) {
      llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
      Parameter &parameter = program_.parameters.emplace_back();
      parameter.name =
          argument.hasName() ? argument.getName().str() : "parameter " + std::to_string(argument.getArgNo() + 1);
      parameter.type = type_name(*type);
      parameter.size = layout_.getTypeAllocSize(type);
      parameter.pointer = type->isPointerTy();
    }
  }
  if (!program_.max_threads) {
    const auto x = annotation(kernel_, "maxntidx");
    program_.max_threads = x ? x : annotation(kernel_, "maxntid");
  }
  if (!program_.min_blocks)
    program_.min_blocks = annotation(kernel_, "minctasm");
}

void KernelLowering::describe_shared_arrays() {
  for (const llvm::GlobalVariable *variable : shared_arrays_of(kernel_, rules_.scalarised_elements)) {
    shared_[variable] = static_cast<std::uint32_t>(program_.shared_arrays.size());
    SharedArray &array = program_.shared_arrays.emplace_back();
    array.name = variable->getName().str();
    array.dynamic = variable->isDeclaration();
    array.size = array.dynamic ? 0 : layout_.getTypeAllocSize(variable->getValueType()).getFixedValue();
    array.alignment =
        variable->getAlign() ? variable->getAlign()->value() : layout_.getPreferredAlign(variable).value();
    if (const auto source = index_.variables.find(array.name); source != index_.variables.end()) {
      array.name = source->second.name;
      array.declaration = source->second.declaration;
      array.location = source->second.location;
    } else {
      // Of `kernel(int)::tile`, what its author calls it.
      const std::string full = llvm::demangle(array.name);
      const std::size_t colon = full.rfind("::");
      array.name = colon == std::string::npos ? full : full.substr(colon + 2);
    }
  }
}

void KernelLowering::lower_block(const llvm::BasicBlock &block) {
  builder_.enter(blocks_[&block]);
  lower_phis(block);
  for (const llvm::Instruction &instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction))
      continue;
    if (instruction.isTerminator())
      lower_terminator(instruction);
    else
      lower_instruction(instruction);
  }
}

void KernelLowering::lower_phis(const llvm::BasicBlock &block) {
  for (const llvm::PHINode &phi : block.phis()) {
    Registers registers;
    for (std::uint8_t width : widths(phi.getType())) {
      registers.push_back(builder_.new_register(width));
      program_.blocks[blocks_[&block]].phis.push_back({registers.back(), width, {}});
      floats_.note(phi, registers.back());
    }
    define(phi, std::move(registers));
  }
}

void KernelLowering::complete_phis(const llvm::BasicBlock &block) {
  const BlockId to = blocks_[&block];
  std::size_t at = 0;
  for (const llvm::PHINode &phi : block.phis()) {
    const std::size_t count = component_count(phi.getType());
    llvm::SmallPtrSet<const llvm::BasicBlock *, 4> seen; // a switch may have several edges from one block
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const llvm::BasicBlock *from = phi.getIncomingBlock(i);
      const auto source = blocks_.find(from);
      if (source == blocks_.end() || !seen.insert(from).second)
        continue;
      builder_.enter(source->second);
      const Registers registers = value(phi.getIncomingValue(i));
      for (std::size_t c = 0; c < count; ++c)
        program_.blocks[to].phis[at + c].incoming.push_back({source->second, registers[c]});
    }
    at += count;
  }
}

void KernelLowering::lower_terminator(const llvm::Instruction &instruction) {
  Terminator terminator;
  if (const llvm::DILocation *location = instruction.getDebugLoc().get(); location && location->getLine())
    terminator.location = locations_.attributed(instruction).location;
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
      terminator.kind = TerminatorKind::Jump;
      terminator.targets = {blocks_[branch->getSuccessor(0)]};
    } else {
      terminator.kind = TerminatorKind::Branch;
      terminator.condition = scalar(branch->getCondition());
      terminator.targets = {blocks_[branch->getSuccessor(0)], blocks_[branch->getSuccessor(1)]};
    }
  } else if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    terminator.kind = TerminatorKind::Switch;
    terminator.condition = scalar(choice->getCondition());
    terminator.targets = {blocks_[choice->getDefaultDest()]};
    for (const auto &each : choice->cases()) {
      terminator.targets.push_back(blocks_[each.getCaseSuccessor()]);
      terminator.cases.push_back(each.getCaseValue()->getSExtValue());
    }
  } else if (const auto *indirect = llvm::dyn_cast<llvm::IndirectBrInst>(&instruction)) {
    // Nobody knows where it goes: a switch on an unknown value.
    terminator.kind = TerminatorKind::Switch;
    terminator.condition = builder_.opaque(32, "computed goto" + at_line(instruction), value(indirect->getAddress()));
    for (unsigned i = 0; i < indirect->getNumDestinations(); ++i) {
      terminator.targets.push_back(blocks_[indirect->getDestination(i)]);
      if (i)
        terminator.cases.push_back(i);
    }
    if (terminator.targets.empty())
      terminator = {};
  } else if (llvm::isa<llvm::UnreachableInst>(instruction)) {
    terminator.kind = TerminatorKind::Trap;
  }
  terminator.fully_unrolled = ends_settled_loop(instruction);
  program_.blocks[builder_.current()].terminator = std::move(terminator);
}

} // namespace lower
} // namespace smem
