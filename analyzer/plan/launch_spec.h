// The text form of a launch, in options and comments: `block=(32,8) grid=(128,128) dynamic=0 N=4096`.
#pragma once

#include "plan/launch_wish.h"
#include "smem/program.h"

#include <string>
#include <string_view>
#include <utility>

namespace smem {

struct ParsedWish {
  LaunchWish wish;
  std::string error; ///< empty when `wish` is complete
};

/// Words `key=value`, separated by blanks. `block` and `grid` take `n`, `(x,y)` or `(x,y,z)`, `dynamic` bytes; any other key
/// is a parameter of the kernel. Of a parameter facts can be stated without its value, `N % 32 == 0`, `N >= 1024` (and <=, <, >);
/// `N=?` and `grid=?` say that it is not known.
ParsedWish parse_launch_words(std::string_view text);

/// The value of --launch: the same with an optional `kernel:` before it, a glob over kernels' names.
ParsedWish parse_launch_option(std::string_view text);

/// The value of --set: `NAME=VALUE` or a fact.
ParsedWish parse_set_option(std::string_view text);

/// The text that parse_launch_option() reads as this wish.
std::string launch_option_text(const LaunchWish &wish);

/// Whether a glob speaks of this kernel: it matches the name with or without template arguments and namespaces. Empty: of
/// every kernel.
bool kernel_matches(std::string_view glob, const Program &program);
bool wish_matches(const LaunchWish &wish, const Program &program);

/// An integer in decimal, hexadecimal or binary, perhaps negative, digits separated by ' or _ as in C++ or not at all.
std::optional<std::int64_t> parse_integer(std::string_view text);

} // namespace smem
