// Initialisers that Clang gives no type.
#pragma once

namespace clang {
class FunctionDecl;
} // namespace clang

namespace smem {

/// `dim3 grid(divUp(n))` in a template where nothing declares divUp: what is in the brackets has an error, stays as it is written and has no type at all, in instantiations as well,
/// which no other expression of theirs is without. An expression that stands for an error and has the variable's type takes its place, and has no value to any reader.
void give_initialisers_types(clang::FunctionDecl &function);

} // namespace smem
