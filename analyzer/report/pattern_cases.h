// Which cases of a pattern are those of a launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "smem/launch.h"
#include "smem/pattern.h"

namespace smem {

/// The argument that a condition is about; null: there is none.
const ArgumentValue *argument_of(const Launch &launch, const PatternCondition &condition);

bool admits(const PatternCondition &condition, std::int64_t value);

/// What is known of an argument without its value excludes the condition.
bool excludes(const ArgumentFacts &of_argument, const PatternCondition &condition);

/// Bit BlockShape: that of the launch's block, or those that it may have.
std::uint8_t shapes_of(const Launch &launch);

/// That a block has by what is known of the launch.
std::uint64_t most_threads(const Launch &launch);

/// By what is known of the launch; what was assumed of it excludes nothing.
bool possible(const PatternCase &one, const Launch &launch);

/// It is not possible, and would be if nothing were known of the arguments.
bool excluded_by_values(const PatternCase &one, const Launch &launch);

bool has(const PatternCase &one, PatternCondition::Kind kind);

/// Without a condition on the block's shape that all blocks of which this is known satisfy.
std::vector<PatternCondition> beyond_block(std::vector<PatternCondition> when, const Launch &launch);

/// `at most 2 wavefronts`, of the one space or the other.
std::string pattern_cost(const PatternCase &one, bool shared);

/// Every launch that the known values leave has one of the cases.
bool covers(const Pattern &pattern, const Launch &launch);

/// "n % 8 == 0 and n >= 1"
std::string facts_text(const ArgumentFacts &facts, const std::string &name);

/// "in all launches", of blocks as the launch's, or of which as much is known.
std::string all_launches(const Launch &launch, bool narrowed);

} // namespace smem
