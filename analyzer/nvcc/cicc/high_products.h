// Upper halves of products, which are calls to cicc and arithmetic here.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace llvm {
class CallBase;
class Module;
class Value;
} // namespace llvm

namespace smem {

/// Of the two arguments of `call`, as a product of twice the width: what divides by multiplying is understood in that form. Its block stays, as that of a call does (if_conversion.h).
llvm::Value *high_product(llvm::IRBuilder<> &builder, llvm::CallBase &call, bool is_signed);

/// The same of __mulhi() and __umulhi() of our own headers.
void write_out_high_products(llvm::Module &module);

} // namespace smem
