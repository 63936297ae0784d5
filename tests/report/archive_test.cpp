// What is read of archives that somebody else may have written.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "archive/archive.h"
#include "archive/fields.h"

namespace smem {
namespace {

Outcome with(Diagnostic::Severity severity, Opcode opcode, Verdict verdict) {
  Outcome outcome;
  outcome.analysis.diagnostics.push_back({.severity = severity, .location = {}, .message = "text"});
  Program program;
  program.blocks.emplace_back();
  program.blocks[0].instructions.emplace_back().opcode = opcode;
  program.sites.emplace_back();
  outcome.analysis.programs.push_back(program);
  LaunchAnalysis launch;
  launch.result.sites.emplace_back().verdict = verdict;
  outcome.analysis.launches.push_back(launch);
  return outcome;
}

bool survives(const Outcome &outcome) { return read_outcome(write_outcome(outcome)).has_value(); }

TEST(Archive, LastEnumeratorsAreRead) {
  const auto read =
      read_outcome(write_outcome(with(Diagnostic::Severity::Error, Opcode::WarpMembers, Verdict::Unknown)));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->analysis.diagnostics[0].severity, Diagnostic::Severity::Error);
  EXPECT_EQ(read->analysis.programs[0].blocks[0].instructions[0].opcode, Opcode::WarpMembers);
  EXPECT_EQ(read->analysis.launches[0].result.sites[0].verdict, Verdict::Unknown);
}

/// Tables are indexed by them.
TEST(Archive, EnumeratorsThatDoNotExistAreRefused) {
  EXPECT_FALSE(survives(with(static_cast<Diagnostic::Severity>(3), Opcode::Add, Verdict::Exact)));
  EXPECT_FALSE(survives(with(Diagnostic::Severity::Note, static_cast<Opcode>(static_cast<int>(Opcode::WarpMembers) + 1),
                             Verdict::Exact)));
  EXPECT_FALSE(survives(with(Diagnostic::Severity::Note, Opcode::Add, static_cast<Verdict>(3))));
}

/// Converts to whatever a member is; never called.
struct Anything {
  template <class T> operator T() const { std::abort(); }
};

template <class T, class... Given> consteval std::size_t members() {
  if constexpr (requires { T{Given{}..., Anything{}}; })
    return members<T, Given..., Anything>();
  else
    return sizeof...(Given);
}

/// What a list names: members, or copies of them, each once.
struct Names {
  std::set<const void *> named;
  template <class... T> void operator()(T &...members) { (named.insert(&members), ...); }
};

template <class T> class ArchivedType : public testing::Test {};
/// All but those of which something is kept with something else, or is of no use once the analysis is done.
using Whole =
    testing::Types<SourceLocation, InlineFrame, Dim3, Diagnostic, Access, RequestCost, Counts, Example, Formula::Term,
                   Formula, Span, DataDependence, SymbolicCounts, PatternCondition, PatternCase, PatternInputs::Piece,
                   PatternInputs, Pattern, SectorUse, Assumption, SiteResult, Problem, UnitWork, ArrayReads, LeastWork,
                   ArgumentFacts, PointerOrigin, ArgumentValue, ChosenQuantity, LaunchExpression, Launch, OpenArgument,
                   ConsistentLaunch, HostLaunch, PassedValue, PassedCall, UnitDefinition, UnitInterface, ForeignCode,
                   LaunchSymbol, RacingAccess, BarrierEdit, RaceWitness, UnwrittenRead, Races, LocalTraffic,
                   SampledRequest, LaunchAnalysis, Site, SharedArray, ParameterMember, Parameter, ParameterFact,
                   Toolkit, SourceVersion, CompiledKernel, CompiledUse, ArithmeticWork, LaunchWish, Edit, Layout::Term,
                   FixedSite, Instruction, Phi::Incoming, Phi, Terminator, BasicBlock, ValuePart, MemoryOperation,
                   LocalObject, GlobalObject, CacheEntry::Source, CacheEntry>;
TYPED_TEST_SUITE(ArchivedType, Whole);

TYPED_TEST(ArchivedType, EveryMemberIsNamed) {
  TypeParam value{};
  Names names;
  fields(names, value);
  EXPECT_EQ(names.named.size(), members<TypeParam>());
}

} // namespace
} // namespace smem
