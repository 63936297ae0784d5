// A launch while it is planned.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/launch_plan.h"

namespace smem {

/// A launch on its way: what is known so far, and what is not.
struct Draft {
  Launch launch;
  bool grid_known = false, block_known = false, dynamic_known = false;
  std::vector<std::string> unknown; ///< the host code's reasons
  std::vector<OpenArgument> open_pointers;
  std::vector<OpenArgument> lost;                                   ///< arguments that may not be assumed
  std::vector<Assumption> of_host;                                  ///< what the host code's part of it rests on
  bool grid_said = false, block_said = false, dynamic_said = false; ///< by something stronger than host code
  std::optional<BlockFacts> block_stated;                           ///< as LaunchWish::block_facts
  SourceLocation block_stated_at;
  std::vector<Diagnostic> contradictions;
  std::vector<ArgumentValue> host_arguments; ///< as host code has them, before anything else is stated
  bool by_user = false;                      ///< something of the shape is, by an option or for all launches
  std::vector<std::pair<std::string, std::int64_t>>
      stated_of_host;    ///< of names that no parameter of the kernel has: some may be of the function that launches it
  bool searched = false; ///< values were looked for that lead host code to it
  bool grid_follows = false, block_follows = false,
       dynamic_follows = false; ///< from values chosen for what host code leaves free
  std::vector<ConsistentLaunch>
      consistent; ///< what host code says of the unknown parts under values of what it leaves free
};

/// Whether the reason begins with the subject.
bool about(const std::string &reason, std::string_view subject);

Draft draft_of(const HostLaunch &host);

/// What the launch says of a scalar; made where it says nothing.
ArgumentValue &argument_of(Launch &launch, const PassedScalar &passed);

bool same_shape(const Draft &a, const Draft &b);
bool same(const Draft &a, const Draft &b);

/// Wishes of one strength: those about one launch multiply (two --launch are two launches), bare values hold for all.
std::vector<Draft> apply_level(std::vector<Draft> drafts, const std::vector<PlacedWish> &wishes,
                               const Program &program);

} // namespace smem
