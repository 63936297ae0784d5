// The keyword `template` before a member template of what depends on arguments of a template.
//
// Where it is missing, nvcc's front end takes `<` for an operator at first, so that it accepts what can be read as comparisons (nvcc 13.0: `s.f<3>(x)` and `T::f<N>(x)`, but neither
// `s.f<int>(x)` nor `s.f<3>()`); where the template is instantiated it reads the text once more and finds the member template. Clang keeps what it has read.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace smem {

/// Where `template` belongs: before the name at `place` if that is one of a member and is followed by `<`, or before `name` that is, where what it is qualified with begins at `place`.
std::optional<std::size_t> place_of_template_keyword(std::string_view text, std::size_t place,
                                                     std::string_view name = {});

} // namespace smem
