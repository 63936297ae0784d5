// A bound on what templates may cost: a source can make the compiler instantiate for minutes, and fill any memory.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

namespace clang {
class ASTConsumer;
} // namespace clang

namespace smem {

/// Counts instantiations in `begun`, and ends the compilation with an error at the place that began the one with number `most + 1`. A count, not a time: the
/// same source ends at the same place on every machine. Where an end is asked for, the parser ends at the next declaration and nothing more is
/// instantiated: no translation unit is handed over then.
std::unique_ptr<clang::ASTConsumer> make_instantiation_budget(std::uint64_t &begun, std::uint64_t most,
                                                              std::stop_token stop = {});

} // namespace smem
