// Sums as a person would write them: what a compiler's unrolling, peeling and splitting of a loop left in them is taken out again.
#pragma once

#include "polynomial.h"

namespace smem {

/// The same value wherever the quantities are in their ranges, in the shortest of the forms that are known:
///
///     2*floor(n/2) + [n % 2 != 0]                  n                     an unrolled loop and what is left over
///     [n % 4 >= 1] + [n % 4 >= 2] + [n % 4 >= 3]   n % 4                 what is left over, step by step
///     (n - 8)*[n >= 9]                             max(n - 8, 0)         iterations that were taken out of a loop
///     8*[n >= 8] + n*[n <= 7]                      min(n, 8)
///
/// Simplified first. Symbols::domain_used is set where a range that was presumed made a difference; the gates are left as they are: none.
Polynomial readable(Polynomial sum, Symbols &symbols);

} // namespace smem
