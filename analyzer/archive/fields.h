// The fields of everything that goes into an archive, each named once: the same function writes and reads.
#pragma once

#include "archive/archive.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace smem {

/// Numbers in as few bytes as they need (LEB128; signed ones zigzag), every text once.
class ArchiveWriter {
public:
  template <class... T> void operator()(T &...values) { (put(values), ...); }
  const std::string &bytes() const { return out; }

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
  }

private:
  template <class T> void put(T &value);
  template <class T> void put(std::optional<T> &value) {
    number(value ? 1 : 0);
    if (value)
      put(*value);
  }
  template <class T> void put(std::vector<T> &values) {
    number(values.size());
    for (T &value : values)
      put(value);
  }
  template <class T> void put(std::set<T> &values) {
    number(values.size());
    for (T value : values)
      put(value);
  }
  template <class K, class V> void put(std::map<K, V> &values) {
    number(values.size());
    for (std::pair<K, V> value : values)
      put(value);
  }
  template <class A, class B> void put(std::pair<A, B> &value) { (*this)(value.first, value.second); }
  void put(std::string &text) {
    const auto [known, added] = texts.emplace(text, texts.size());
    number(known->second);
    if (!added)
      return;
    number(text.size());
    out += text;
  }

  std::string out;
  std::map<std::string, std::uint64_t> texts;
};

/// Never reads beyond its input: what is missing is zero or empty, and complete() is false.
class ArchiveReader {
public:
  explicit ArchiveReader(std::string_view bytes) : in(bytes) {}
  template <class... T> void operator()(T &...values) { (get(values), ...); }
  bool complete() const { return !failed && in.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (in.empty())
        break;
      const auto byte = static_cast<unsigned char>(in.front());
      in.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80)
        return value;
    }
    failed = true;
    return 0;
  }
  void fail() { failed = true; }

private:
  template <class T> void get(T &value);
  template <class T> void get(std::optional<T> &value) {
    value.reset();
    if (number() != 0)
      get(value.emplace());
  }
  /// A count of things that take at least a byte each.
  std::uint64_t count() {
    const std::uint64_t value = number();
    if (value > in.size())
      failed = true;
    return failed ? 0 : value;
  }
  template <class T> void get(std::vector<T> &values) {
    constexpr std::uint64_t kMostReserved = 256;
    values.clear();
    // A number that somebody else has written says how many there are, and a thing takes much more memory than bytes here.
    const std::uint64_t size = count();
    values.reserve(std::min(size, kMostReserved));
    for (std::uint64_t left = size; left > 0 && !failed; --left)
      get(values.emplace_back());
  }
  template <class T> void get(std::set<T> &values) {
    values.clear();
    for (std::uint64_t left = count(); left > 0 && !failed; --left) {
      T value{};
      get(value);
      values.insert(values.end(), std::move(value));
    }
  }
  template <class K, class V> void get(std::map<K, V> &values) {
    values.clear();
    for (std::uint64_t left = count(); left > 0 && !failed; --left) {
      std::pair<K, V> value;
      get(value);
      values.insert(values.end(), std::move(value));
    }
  }
  template <class A, class B> void get(std::pair<A, B> &value) { (*this)(value.first, value.second); }
  void get(std::string &text) {
    const std::uint64_t index = number();
    if (index < texts.size()) {
      text = texts[index];
      return;
    }
    const std::uint64_t size = number();
    if (failed || index != texts.size() || size > in.size()) {
      failed = true;
      text.clear();
      return;
    }
    text.assign(in.substr(0, size));
    in.remove_prefix(size);
    texts.push_back(text);
  }

  std::string_view in;
  bool failed = false;
  std::vector<std::string> texts;
};

template <class A> void fields(A &a, SourceLocation &v) { a(v.file, v.line, v.column); }
template <class A> void fields(A &a, InlineFrame &v) { a(v.function, v.call); }
template <class A> void fields(A &a, Dim3 &v) { a(v.x, v.y, v.z); }
template <class A> void fields(A &a, Diagnostic &v) { a(v.severity, v.location, v.message, v.incomplete); }
template <class A> void fields(A &a, Access &v) {
  a(v.space, v.operation, v.width_bits, v.atomic, v.result_used, v.matrices, v.transposed, v.bypass_l1, v.plain_copy,
    v.operand_bytes, v.uncounted);
}
template <class A> void fields(A &a, Request &v) {
  a(v.active);
  for (std::uint64_t &address : v.address)
    a(address);
}
template <class A> void fields(A &a, RequestCost &v) {
  a(v.wavefronts, v.ideal_wavefronts, v.conflict_degree, v.sectors, v.ideal_sectors, v.tags);
}
template <class A> void fields(A &a, Counts &v) {
  a(v.requests, v.wavefronts, v.ideal_wavefronts, v.sectors, v.ideal_sectors, v.tags, v.conflict_degree,
    v.serial_wavefronts, v.line_cycles);
}
template <class A> void fields(A &a, Example &v) { a(v.request, v.cost, v.block_index, v.warp); }
template <class A> void fields(A &a, Formula::Term &v) { a(v.coefficient, v.factors); }
template <class A> void fields(A &a, Formula &v) { a(v.terms); }
template <class A> void fields(A &a, Span &v) { a(v.least, v.most); }
template <class A> void fields(A &a, DataDependence &v) {
  a(v.requests, v.conflict_degree, v.wavefronts, v.sectors, v.expected_degree, v.expected_wavefronts,
    v.expected_sectors, v.range);
}
template <class A> void fields(A &a, SymbolicCounts &v) {
  a(v.reason, v.reason_location, v.conflict_degree, v.wavefronts, v.sectors, v.requests_formula, v.wavefronts_formula,
    v.ideal_wavefronts_formula, v.sectors_formula, v.ideal_sectors_formula, v.tags_formula, v.presumes);
}
template <class A> void fields(A &a, PatternCondition &v) {
  a(v.kind, v.shapes, v.argument, v.offset, v.width, v.divisor, v.plus, v.name, v.none, v.values, v.modulus,
    v.remainders, v.near, v.lanes);
}
template <class A> void fields(A &a, PatternCase &v) {
  a(v.when, v.wavefronts, v.ideal_wavefronts, v.conflict_degree, v.sectors, v.ideal_sectors, v.at_most);
}
template <class A> void fields(A &a, PatternInputs::Piece &v) { a(v.argument, v.offset, v.width); }
template <class A> void fields(A &a, PatternInputs &v) {
  a(v.address, v.guards, v.grid_in_address, v.grid_in_guards, v.block_in_guards);
}
template <class A> void fields(A &a, Pattern &v) {
  a(v.verdict, v.cases, v.reason, v.reason_location, v.reached, v.inputs);
}
template <class A> void fields(A &a, SectorUse &v) { a(v.sectors, v.own_bytes, v.bytes); }
template <class A> void fields(A &a, Assumption &v) { a(v.text, v.argument, v.id); }
template <class A> void fields(A &a, std::array<Assumption, kOpenChoices> &v) {
  for (Assumption &one : v)
    a(one);
}
template <class A> void fields(A &a, SiteResult &v) {
  a(v.verdict, v.reason, v.assumptions, v.established, v.reason_location, v.note, v.counts, v.shared_example,
    v.global_example, v.space, v.executed, v.data, v.symbolic, v.sector_use, v.loop_example);
}
template <class A> void fields(A &a, Problem &v) { a(v.kind, v.message, v.site, v.location, v.holds); }
template <class A> void fields(A &a, UnitWork &v) { a(v.shared_wavefronts, v.global_wavefronts, v.tags); }
template <class A> void fields(A &a, ArrayReads &v) { a(v.site, v.requested_bytes, v.least_bytes, v.block_bytes); }
template <class A> void fields(A &a, LeastWork &v) { a(v.block, v.read_bytes, v.written_bytes, v.reads); }
template <class A> void fields(A &a, SimulationResult &v) {
  a(v.sites, v.problems, v.shared_bytes, v.steps, v.block_classes, v.least);
}
template <class A> void fields(A &a, ArgumentFacts &v) { a(v.modulus, v.remainder, v.least, v.most); }
template <class A> void fields(A &a, BlockFacts &v) { a(v[0], v[1], v[2]); }
template <class A> void fields(A &a, PointerOrigin &v) { a(v.allocation, v.place, v.bytes); }
template <class A> void fields(A &a, ArgumentValue &v) {
  a(v.index, v.offset, v.width_bits, v.pointer, v.value, v.alignment, v.provenance, v.facts, v.facts_location,
    v.origin);
}
template <class A> void fields(A &a, ChosenQuantity &v) { a(v.name, v.origin, v.value); }
template <class A> void fields(A &a, LaunchExpression &v) { a(v.part, v.text); }
template <class A> void fields(A &a, Launch &v) {
  a(v.mangled, v.grid, v.block, v.dynamic_shared_bytes, v.arguments, v.shape_provenance, v.grid_known, v.block_known,
    v.dynamic_known, v.block_facts, v.block_shapes, v.contradicted, v.reached, v.consistent, v.least_global_alignment,
    v.location, v.called_from, v.opted_in_bytes, v.assumptions, v.template_arguments, v.not_known, v.chosen,
    v.expressions);
}
template <class A> void fields(A &a, OpenArgument &v) { a(v.index, v.offset, v.name, v.reason); }
template <class A> void fields(A &a, ConsistentLaunch &v) {
  std::vector<std::uint8_t> shape(v.decides_shape.begin(), v.decides_shape.end()),
      size(v.is_size.begin(), v.is_size.end()), decisive(v.decisive.begin(), v.decisive.end());
  a(v.launch, v.unknown, v.lost, v.grid_known, v.block_known, v.dynamic_known, v.grid_chosen, v.block_chosen,
    v.dynamic_chosen, v.reached, shape, size, decisive, v.keys, v.argument_quantities, v.block_key, v.dynamic_key);
  v.decides_shape.assign(shape.begin(), shape.end());
  v.is_size.assign(size.begin(), size.end());
  v.decisive.assign(decisive.begin(), decisive.end());
}
template <class A> void fields(A &a, HostLaunch &v) {
  a(v.launch, v.shape_known, v.grid_known, v.block_known, v.dynamic_known, v.unknown, v.lost, v.open_pointers, v.times,
    v.reached, v.consistent);
}
template <class A> void fields(A &a, PassedValue &v) {
  a(v.kind, v.number, v.offset_known, v.alignment, v.assumed, v.parts);
}
template <class A> void fields(A &a, PassedCall &v) { a(v.function, v.location, v.arguments, v.object, v.reached); }
template <class A> void fields(A &a, UnitDefinition &v) {
  a(v.mangled, v.location, v.external, v.launched, v.assumed, v.code);
}
template <class A> void fields(A &a, UnitInterface &v) {
  a(v.kernels, v.launchers, v.undefined, v.launches, v.calls, v.opted_in);
}
template <class A> void fields(A &a, ForeignCode &v) { a(v.launchers, v.calls, v.launches, v.opted_in); }
template <class A> void fields(A &a, LaunchSymbol &v) { a(v.name, v.facts, v.most); }
template <class A> void fields(A &a, RacingAccess &v) {
  a(v.operation, v.location, v.expression, v.call, v.thread, v.lane, v.writes, v.atomic, v.asynchronous, v.request,
    v.request_bytes);
}
template <class A> void fields(A &a, BarrierEdit &v) { a(v.line, v.ends_loop, v.in_braces, v.of_warp); }
template <class A> void fields(A &a, RaceWitness &v) {
  a(v.within_warp, v.between_blocks, v.first, v.second, v.block, v.second_block, v.byte, v.array, v.array_byte,
    v.interval, v.interval_begin, v.interval_end, v.edits);
}
template <class A> void fields(A &a, UnwrittenRead &v) { a(v.access, v.block, v.byte, v.array, v.array_byte); }
template <class A> void fields(A &a, Races &v) {
  a(v.between_warps, v.within_warp, v.between_blocks, v.reason, v.reason_location, v.witnesses, v.same_value,
    v.unwritten, v.barriers, v.redundant, v.steps, v.assumed, v.assumptions, v.always, v.barriers_open,
    v.barriers_always, v.barriers_reason, v.barriers_by_all, v.excusing, v.leaves_arrays, v.outside, v.free_blocks,
    v.block);
}
template <class A> void fields(A &a, LocalTraffic &v) { a(v.load_requests, v.store_requests, v.exact); }
template <class A> void fields(A &a, SampledRequest &v) { a(v.site, v.request); }
template <class A> void fields(A &a, LaunchAnalysis &v) {
  a(v.program, v.launch, v.result, v.symbols, v.races, v.global_races, v.local, v.arithmetic, v.samples);
}
template <class A> void fields(A &a, Site &v) {
  a(v.location, v.inlined_at, v.access, v.generic, v.expression, v.address, v.array, v.array_location, v.assumption,
    v.not_lowered, v.compared);
}
template <class A> void fields(A &a, SharedArray &v) {
  a(v.name, v.size, v.alignment, v.dynamic, v.location, v.declaration, v.widest, v.widest_in_source);
}
template <class A> void fields(A &a, ParameterMember &v) {
  a(v.name, v.type, v.offset, v.size, v.pointer, v.enumerators);
}
template <class A> void fields(A &a, Parameter &v) { a(v.name, v.type, v.size, v.pointer, v.enumerators, v.members); }
template <class A> void fields(A &a, ParameterFact &v) { a(v.index, v.offset, v.width, v.facts, v.location); }
template <class A> void fields(A &a, Program &v) {
  a(v.kernel, v.mangled, v.location, v.parameters, v.max_threads, v.min_blocks, v.shared_used_elsewhere, v.sites,
    v.shared_arrays, v.parameter_facts);
}
template <class A> void fields(A &a, Toolkit &v) { a(v.shipped, v.root, v.version); }
template <class A> void fields(A &a, SourceVersion &v) { a(v.file, v.sha256, v.system); }
template <class A> void fields(A &a, CompiledKernel &v) {
  a(v.registers, v.stack_bytes, v.shared_bytes, v.local_loads, v.local_stores);
}
template <class A> void fields(A &a, CompiledUse &v) {
  a(v.from, v.unavailable, v.kernels, v.confirmed, v.corrected, v.absent, v.open);
}
template <class A> void fields(A &a, ArithmeticWork &v) {
  a(v.fp32, v.fp64, v.special, v.integer, v.multiply, v.instructions, v.tensor, v.shuffles);
}
template <class A> void fields(A &a, FileAnalysis &v) {
  std::string architecture = v.architecture ? std::string(v.architecture->name) : std::string();
  a(v.file, architecture, v.toolkit, v.programs, v.patterns, v.launches, v.sources, v.diagnostics, v.parsed, v.compiled,
    v.left_out, v.machine_code, v.addresses, v.assumed_headers, v.doubts_headers);
  v.architecture = architecture.empty() ? nullptr : find_architecture(architecture);
}
template <class A> void fields(A &a, LaunchWish &v) {
  a(v.kernel, v.grid, v.block, v.grid_open, v.dynamic_shared_bytes, v.scalars, v.facts, v.block_facts, v.all,
    v.provenance, v.location);
}
template <class A> void fields(A &a, Edit &v) { a(v.file, v.offset, v.length, v.replacement); }
template <class A> void fields(A &a, Layout::Term &v) { a(v.divisor, v.modulus, v.factor); }
template <class A> void fields(A &a, Layout &v) { a(v.kind, v.pad, v.period, v.terms[0], v.terms[1], v.spread); }
template <class A> void fields(A &a, FixSuggestion &v) {
  a(v.array, v.layout, v.action, v.before, v.after, v.verdict, v.rests_on_merging, v.bytes_before, v.bytes_after,
    v.blocks_before, v.blocks_after, v.edits, v.no_edit);
}
template <class A> void fields(A &a, FixedSite &v) { a(v.launch, v.site, v.suggestion, v.after); }
template <class A> void fields(A &a, FileFixes &v) { a(v.suggestions, v.sites); }
template <class A> void fields(A &a, Instruction &v) {
  a(v.opcode, v.width, v.result, v.index, v.immediate, v.operands);
}
template <class A> void fields(A &a, Phi::Incoming &v) { a(v.from, v.value); }
template <class A> void fields(A &a, Phi &v) { a(v.result, v.width, v.incoming); }
template <class A> void fields(A &a, Terminator &v) {
  a(v.kind, v.condition, v.targets, v.cases, v.location, v.fully_unrolled);
}
template <class A> void fields(A &a, BasicBlock &v) { a(v.phis, v.instructions, v.terminator); }
template <class A> void fields(A &a, ValuePart &v) { a(v.byte_offset, v.width, v.reg); }
template <class A> void fields(A &a, MemoryOperation &v) {
  a(v.site, v.space, v.access, v.address, v.source, v.operand, v.source_bytes, v.predicate, v.loop_load, v.shared_array,
    v.facts, v.row_bytes, v.filled_bytes, v.apart, v.aggregation, v.strength, v.stored, v.parts);
}
template <class A> void fields(A &a, LocalObject &v) { a(v.size, v.alignment); }
template <class A> void fields(A &a, GlobalObject &v) {
  a(v.name, v.size, v.alignment, v.constant_space, v.initializer);
}
/// The code of a program, and what belongs to it.
template <class A> void code_fields(A &a, Program &v) {
  a(v.warps_meet_otherwise, v.waits_in_memory, v.untimed, v.untimed_at, v.split_barriers, v.counted_barriers,
    v.memory_operations, v.local_objects, v.global_objects, v.reasons, v.places, v.blocks, v.register_count,
    v.register_width, v.is_final, v.open);
}
/// An analysis as it is, but for Outcome's exceptions.
template <class A> void whole_fields(A &a, FileAnalysis &v) {
  a(v, v.stopped, v.dependencies.read, v.dependencies.absent, v.dependencies.complete, v.unit, v.host_digest);
  for (Program &program : v.programs)
    code_fields(a, program);
}
template <class A> void fields(A &a, Outcome &v) {
  whole_fields(a, v.analysis);
  a(v.fixes, v.fixes.combined);
  whole_fields(a, v.fixes.after);
  std::vector<std::pair<std::string, std::string>> texts(v.fixes.texts.begin(), v.fixes.texts.end());
  a(texts);
  v.fixes.texts = {texts.begin(), texts.end()};
  a(v.remark);
}
template <class A> void fields(A &a, RunPart &v) { a(v.index, v.count, v.wishes, v.files, v.fixes); }
template <class A> void fields(A &a, CacheEntry::Source &v) { a(v.file, v.hash); }
template <class A> void fields(A &a, CacheEntry &v) { a(v.read, v.absent, v.text); }

/// The last enumerator of each enumeration; one that is missing here does not compile.
template <class E> inline constexpr E kLast = E::has_no_last_enumerator_here;
template <> inline constexpr auto kLast<AddressSpace> = AddressSpace::Local;
template <> inline constexpr auto kLast<AtomicKind> = AtomicKind::FloatMinMax;
template <> inline constexpr auto kLast<Agreement> = Agreement::Absent;
template <> inline constexpr auto kLast<Diagnostic::Severity> = Diagnostic::Severity::Error;
template <> inline constexpr auto kLast<Layout::Kind> = Layout::Kind::SwizzleByRow;
template <> inline constexpr auto kLast<Opcode> = Opcode::WarpMembers;
template <> inline constexpr auto kLast<Strength> = Strength::Device;
template <> inline constexpr auto kLast<Aggregation> = Aggregation::OfAllLanes;
template <> inline constexpr auto kLast<Operation> = Operation::BulkCopy;
template <> inline constexpr auto kLast<PassedValue::Kind> = PassedValue::Kind::Reference;
template <> inline constexpr auto kLast<PatternCondition::Kind> = PatternCondition::Kind::Source;
template <> inline constexpr auto kLast<PatternVerdict> = PatternVerdict::Unknown;
template <> inline constexpr auto kLast<Problem::Kind> = Problem::Kind::UnboundedLoop;
template <> inline constexpr auto kLast<Problem::Holds> = Problem::Holds::WhereItRuns;
template <> inline constexpr auto kLast<Provenance> = Provenance::Assumed;
template <> inline constexpr auto kLast<RaceVerdict> = RaceVerdict::Unknown;
template <> inline constexpr auto kLast<Space> = Space::Global;
template <> inline constexpr auto kLast<TerminatorKind> = TerminatorKind::Trap;
template <> inline constexpr auto kLast<Verdict> = Verdict::Unknown;

template <class T> void ArchiveWriter::put(T &value) {
  if constexpr (std::is_enum_v<T>)
    number(static_cast<std::uint64_t>(value));
  else if constexpr (std::is_same_v<T, double>)
    number(std::bit_cast<std::uint64_t>(value));
  else if constexpr (std::is_signed_v<T>)
    number((static_cast<std::uint64_t>(value) << 1) ^
           static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> 63));
  else if constexpr (std::is_integral_v<T>)
    number(value);
  else
    fields(*this, value);
}

template <class T> void ArchiveReader::get(T &value) {
  if constexpr (std::is_enum_v<T>) {
    // Who wrote it may be anybody, and tables are indexed by it.
    const std::uint64_t read = number();
    failed |= read > static_cast<std::uint64_t>(kLast<T>);
    value = failed ? T{} : static_cast<T>(read);
  } else if constexpr (std::is_same_v<T, double>) {
    value = std::bit_cast<double>(number());
  } else if constexpr (std::is_signed_v<T>) {
    const std::uint64_t zigzag = number();
    value = static_cast<T>((zigzag >> 1) ^ (0 - (zigzag & 1)));
  } else if constexpr (std::is_integral_v<T>) {
    value = static_cast<T>(number());
  } else {
    fields(*this, value);
  }
}

} // namespace smem
