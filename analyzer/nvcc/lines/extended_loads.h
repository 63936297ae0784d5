// Loads that nvcc's instruction selection makes part of what extends them.
#pragma once

namespace llvm {
class Function;
}

namespace smem::lower {

/// A byte or half-word that one sum or product of 32 bits alone takes, of which no more than that is stored in the end, is loaded where it is extended, and counts on that line: the extension's upper bits are
/// any, and such an extending load has its location. So has one that becomes part of an address and is cut to some of its bits, where the elements' size makes one mask of that. Others keep the load's own. Before
/// anything is merged.
void count_where_extended(llvm::Function &kernel);

} // namespace smem::lower
