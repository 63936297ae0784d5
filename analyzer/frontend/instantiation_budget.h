// A bound on what templates may cost: a source can make the compiler instantiate for minutes, and fill any memory.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

namespace clang {
class ASTConsumer;
} // namespace clang

namespace smem {

/// In instantiations begun: a count, not a time, so that the same source ends at the same place on every machine.
struct InstantiationBudget {
  std::uint64_t begun = 0, most = UINT64_MAX;
};

/// Counts instantiations, and ends the compilation with an error at the place that began the first one beyond the budget. Where an end is asked for, the
/// parser ends at the next declaration and nothing more is instantiated: no translation unit is handed over then.
std::unique_ptr<clang::ASTConsumer> make_instantiation_budget(InstantiationBudget &budget, std::stop_token stop = {});

} // namespace smem
