// A disassembly of machine code, as `nvdisasm -gi` prints it, taken apart into functions and instructions.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "line_table/line_table.h"

namespace smem::compiled {

/// A place of the line table.
struct ListedPlace {
  std::string file;
  unsigned line = 0;
};

struct ListedInstruction {
  std::uint64_t address = 0;         ///< byte offset in the function
  std::string guard;                 ///< "P0", "!P0", "!UP1"; empty: always executed
  std::string opcode;                ///< with its modifiers: "LDS.128"
  std::vector<std::string> operands; ///< as printed, without `.reuse`: "R4", "[R4+0x10]", "c[0x0][0x210]"
  std::vector<std::string> targets;  ///< of a computed branch, as labels
  std::vector<ListedPlace> places;   ///< innermost first, then the calls outwards; empty where the table has none
  /// The listing has no .debug_line, and the places stand at an earlier instruction: nvdisasm repeats them only where the innermost one
  /// changes. Those of the calls may be others.
  bool places_carried = false;
};

/// Where a kernel's parameter lies in its parameter space.
struct ListedParameter {
  std::uint32_t index = 0;
  std::uint32_t offset = 0; ///< bytes
  std::uint32_t size = 0;   ///< bytes; 0: the listing does not say
};

/// What a function takes of an SM, as ptxas has written it down; what the listing does not say is empty (`nvdisasm -c`).
struct ListedResources {
  std::optional<std::uint32_t> registers; ///< of a thread
  std::optional<std::uint32_t>
      stack_bytes; ///< of a thread, in local memory: arrays that are indexed at run time, and spills
  std::optional<std::uint32_t> shared_bytes;       ///< of a block: what is declared, without what the system reserves
  std::uint32_t local_loads = 0, local_stores = 0; ///< instructions
};

struct ListedFunction {
  std::string name;                                           ///< mangled
  bool kernel = false;                                        ///< it can be launched
  std::optional<std::array<std::uint32_t, 3>> required_block; ///< PTX's .reqntid: no other block launches it
  std::optional<std::uint32_t> max_threads;                   ///< of a block: __launch_bounds__, PTX's .maxntid
  ListedResources resources;
  std::vector<ListedInstruction> code;       ///< by ascending address
  std::map<std::string, std::size_t> labels; ///< name -> index into code; may be one past the end
  std::vector<ListedParameter> parameters; ///< by ascending offset; empty when the listing does not say (`nvdisasm -c`)
  std::vector<std::uint8_t> constants;     ///< constant bank 2: tables of the compiler's own
  std::set<std::uint64_t>
      system_calls; ///< addresses of calls of the driver's own functions: vprintf, __assertfail, malloc, free
  std::optional<std::uint32_t> parameter_base; ///< offset of the parameters in constant bank 0
};

struct Listing {
  std::string architecture; ///< "sm_90"
  std::vector<ListedFunction> functions;
  bool has_places = false; ///< any instruction has a place
  /// Shared memory begins with what the system reserves, and arrays are addressed from there (sm_90 and later).
  bool reserves_shared = false;
  /// Constant bank 4 by offset: the variables whose addresses it holds.
  std::map<std::uint32_t, std::string> addresses;

  /// The files that were compiled, as the line tables name them.
  std::vector<CompiledSource> sources;

  /// The functions of this mangled name, of which each cubin of a library may have one. nvcc mangles what has internal linkage in ways of its
  /// own (`static`: as if it had not, and with a prefix made of the file's name in relocatable code; in a namespace without name: with a name
  /// made of the file's), so without one: those that read the same demangled.
  std::vector<const ListedFunction *> find(std::string_view name) const;
};

struct ParsedListing {
  std::optional<Listing> listing;
  std::string error; ///< not empty: why there is no listing
  unsigned line = 0; ///< of the text, where the error is; 0: the whole of it
};

/// A text that breaks off or is no listing is an error, never half a listing.
ParsedListing parse_listing(std::string_view text);

} // namespace smem::compiled
