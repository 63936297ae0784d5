// What the host code of one translation unit has to do with that of others, as plain data: launches of kernels that are elsewhere, calls
// of functions that launch elsewhere, and what others may launch and call here.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "smem/source.h"

namespace smem {

struct HostLaunch;

/// What is known of a value that a call hands to a function of another unit.
struct PassedValue {
  enum class Kind : std::uint8_t { Unknown, Integer, Floating, Null, Pointer, Object, Reference };
  Kind kind = Kind::Unknown;
  std::int64_t number =
      0; ///< the integer; the bits of the floating-point number; of a pointer the bytes from its allocation
  bool offset_known = false;   ///< of a pointer
  std::uint64_t alignment = 1; ///< in bytes; of an unknown value: a power of two that it is a multiple of
  std::uint64_t assumed = 0;   ///< as host/value.h has them, free quantities left out
  std::vector<PassedValue>
      parts; ///< of an object: bases, then fields, or elements; of a reference (or a pointer to an object): what it leads to

  bool operator==(const PassedValue &) const = default;
};

/// Whether an integer, a floating-point number or a boolean is known in it.
bool says_anything(const PassedValue &value);

/// A call of a function that is defined in another unit.
struct PassedCall {
  std::string function; ///< mangled
  SourceLocation location;
  std::vector<PassedValue> arguments;
  PassedValue object;  ///< of a method
  bool reached = true; ///< as HostLaunch::reached

  bool operator==(const PassedCall &) const = default;
};

/// A kernel or a function that is defined in a unit.
struct UnitDefinition {
  std::string mangled;
  SourceLocation location;
  bool external = true;   ///< other units can name it
  bool launched = false;  ///< of a kernel: by the unit itself
  bool assumed = false;   ///< of a kernel: an instance of a template that nothing instantiates
  std::uint32_t code = 0; ///< of a kernel: differs where the preprocessor makes another kernel of the same text
};

/// Of a unit, what matters to others.
struct UnitInterface {
  std::vector<UnitDefinition> kernels, launchers; ///< kernels; functions that lead to launches. By name
  std::vector<std::string> undefined;             ///< functions that are called and defined elsewhere, by mangled name
  std::vector<HostLaunch> launches;               ///< of kernels that are defined elsewhere, or in a header
  std::vector<PassedCall> calls;                  ///< of ForeignCode::launchers
  std::vector<std::pair<std::string, std::uint64_t>> opted_in; ///< as HostLaunches::opted_in, of such kernels
};

/// Of other units, what matters to one.
struct ForeignCode {
  std::vector<std::string> launchers; ///< functions that it calls and that lead to launches there
  std::vector<PassedCall> calls;      ///< of its functions
  std::vector<HostLaunch> launches;   ///< of its kernels
  std::vector<std::pair<std::string, std::uint64_t>> opted_in;
};

} // namespace smem
