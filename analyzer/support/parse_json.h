// JSON out of files and options, within bounds.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

namespace smem {

/// llvm::json::parse() of a text whose values are nested at most 256 deep, and
/// no more than 20 million: LLVM's parser recurses, and takes some fifty bytes
/// for each value. No file that smem-lint reads nests deeper than ten.
/// Otherwise an error that says so.
llvm::Expected<llvm::json::Value> parse_json(llvm::StringRef text);

} // namespace smem
