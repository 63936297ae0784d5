// What follows host code, on programs made of bytes: every launch that is made is among those that are inferred, with each value equal or said to
// be unknown; where everything is known, no other is inferred. Programs with undefined behaviour do no harm.
#include "frontend/frontend.h"
#include "host_program.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace smem;

using Values = std::vector<std::optional<std::uint64_t>>; ///< as in MadeLaunch; nullopt: not known

Values values_of(const HostLaunch &host) {
  const auto unknown = [&](const std::string &part) {
    return std::ranges::any_of(host.unknown, [&](const std::string &text) { return text.starts_with(part + ":"); });
  };
  Values values;
  const std::pair<const char *, const Dim3 *> shapes[] = {{"grid", &host.launch.grid}, {"block", &host.launch.block}};
  for (const auto &[name, shape] : shapes)
    for (const auto &[letter, value] : {std::pair('x', shape->x), std::pair('y', shape->y), std::pair('z', shape->z)})
      values.push_back(unknown(name) || unknown(std::string(name) + "." + letter)
                           ? std::nullopt
                           : std::optional<std::uint64_t>(value));
  values.push_back(unknown("dynamic shared memory") ? std::nullopt
                                                    : std::optional<std::uint64_t>(host.launch.dynamic_shared_bytes));
  values.resize(values.size() + std::size(fuzz::kParameterBits));
  for (const ArgumentValue &argument : host.launch.arguments)
    if (argument.value && argument.index < std::size(fuzz::kParameterBits))
      values[7 + argument.index] = static_cast<std::uint64_t>(*argument.value);
  return values;
}

bool same(std::size_t position, std::uint64_t a, std::uint64_t b) {
  const unsigned bits = position < 7 ? 64 : fuzz::kParameterBits[position - 7];
  return (a ^ b) << (64 - bits) == 0;
}

bool compatible(const Values &inferred, const std::vector<std::uint64_t> &made) {
  for (std::size_t i = 0; i < made.size(); ++i)
    if (inferred[i] && !same(i, *inferred[i], made[i]))
      return false;
  return true;
}

[[noreturn]] void fail(const char *what, unsigned line, const std::string &text) {
  std::fprintf(stderr, "line %u: %s\n%s", line, what, text.c_str());
  std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const fuzz::HostProgram program = fuzz::host_program(data, size);
  FrontendOptions options;
  options.file = "/f.cu";
  options.contents = program.text;
  options.architecture = find_architecture("sm_90");
  options.toolkit = Toolkit{};
  options.compiler_flags = {"-w"};
  const FrontendResult result = run_frontend(options);
  if (program.wild)
    return 0;
  if (!result.ok)
    fail(result.diagnostics.empty() ? "not compiled" : result.diagnostics.front().message.c_str(), 0, program.text);
  std::map<unsigned, std::vector<Values>> inferred;
  for (const HostLaunch &host : result.launches.launches)
    if (host.reached)
      inferred[host.launch.location.line].push_back(values_of(host));
  std::map<unsigned, std::vector<const std::vector<std::uint64_t> *>> made;
  for (const fuzz::MadeLaunch &launch : program.launches) {
    made[launch.line].push_back(&launch.values);
    const auto candidates = inferred.find(launch.line);
    if (candidates != inferred.end() &&
        std::ranges::none_of(candidates->second, [&](const Values &one) { return compatible(one, launch.values); }))
      fail("a launch is made that is not inferred", launch.line, program.text);
  }
  if (!program.opaque)
    for (const auto &[line, launches] : inferred)
      for (const Values &one : launches)
        if (std::ranges::all_of(one, [](const auto &value) { return value.has_value(); }) &&
            std::ranges::none_of(made[line], [&](const auto *values) { return compatible(one, *values); }))
          fail("a launch is inferred that is never made", line, program.text);
  return 0;
}
