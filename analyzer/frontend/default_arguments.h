// Default arguments that have the name of a parameter: `void f(int n = n)`.
//
// To nvcc's front end a default argument sees none of the function's parameters, earlier ones included, so that the name is that of what is declared around the function: a static member or an
// enumerator of the class, even behind the function, or a variable (nvcc 13.0; where there is none, it says that the name is undefined). Clang refuses the parameter.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace smem {

/// What the name at `name` has to begin with to mean what is declared around the function, `Class::` or `::`; empty where `text` declares nothing of that name there.
std::string scope_of_default_argument(std::string_view text, std::size_t name);

} // namespace smem
