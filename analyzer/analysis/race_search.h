// What of a launch races are searched for in: what is known of it, and what all launches with its block have in common.
#pragma once

#include <initializer_list>
#include <string_view>

#include "smem/race.h"

namespace smem {

inline constexpr std::string_view kBlockNotKnown = "how many threads a block has is not known";

bool reads(const Program &program, std::initializer_list<SpecialRegister> registers);

/// The kernel's own code leaves one value only.
bool is_fixed(const ParameterFact &fact);

/// What is known of a launch: as it is without the values that were assumed.
Launch known_part(Launch launch, const Program &source);

/// What all launches with the block of this one have in common.
Launch any_with_block(Launch launch, const Program &source);

/// What is free in every launch with the block of this one.
EveryLaunch every_launch(const Program &source, const Launch &launch, const Architecture &architecture,
                         RaceOptions options);

/// No two threads race, whatever was not known.
void make_free(Races &races);

/// `every`: of all launches with this block, where that is known.
Races find_or_free(const Program &source, const Launch &launch, const Architecture &architecture,
                   const RaceOptions &options, const EveryLaunch &every);

/// Which barriers are missing, and which are of no use.
void look_at_barriers(Races &races, const Program &source, const Launch &launch, const Architecture &architecture,
                      RaceOptions rest, const EveryLaunch &every);

/// Both.
Races search(const Program &source, const Launch &launch, const Architecture &architecture, const RaceOptions &options,
             const EveryLaunch &every);

} // namespace smem
