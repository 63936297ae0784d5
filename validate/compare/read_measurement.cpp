#include "json_fields.h"

namespace smem::compare {
namespace {

// The names under which the measurement keeps the counters.
constexpr struct {
  const char *key;
  std::uint64_t Figures::*value;
} counters[] = {{"executed", &Figures::requests},
                {"wavefronts", &Figures::wavefronts},
                {"wavefronts_ideal", &Figures::ideal_wavefronts},
                {"tags", &Figures::tags},
                {"sectors", &Figures::sectors},
                {"sectors_ideal", &Figures::ideal_sectors}};

Instruction read_instruction(const Json &json) {
  Instruction instruction;
  instruction.function = text_of(json, "function");
  instruction.pc = count_of(json, "pc");
  instruction.opcode = text_of(json, "opcode");
  instruction.width = static_cast<unsigned>(count_of(json, "width"));
  instruction.chain = chain_of(json);
  for (const auto &counter : counters)
    instruction.figures.*counter.value = required_count(json, counter.key);
  return instruction;
}

MeasuredLaunch read_launch(const Json &json) {
  MeasuredLaunch launch;
  launch.index = count_of(json, "index");
  launch.mangled = text_of(json, "kernel");
  launch.kernel = text_of(json, "demangled");
  launch.result = text_of(json, "result");
  launch.configuration = {dim_of(json, "grid"), dim_of(json, "block"), count_of(json, "shared_dynamic")};
  const Json *lines = find(json, "line_info");
  launch.has_lines = !lines || !lines->is_boolean() || lines->get<bool>();
  for (const Json &entry : array_of(json, "instructions"))
    launch.instructions.push_back(read_instruction(entry));
  return launch;
}

} // namespace

Measurement read_measurement(std::istream &in, const std::string &name) {
  Measurement measurement;
  std::string line;
  std::size_t number = 0;
  bool session = false, ended = false, cut = false;
  while (std::getline(in, line)) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    const std::string where = name + ":" + std::to_string(number) + ": ";
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) {
      if (!session || in.peek() != std::istream::traits_type::eof())
        throw InputError(where + (session ? "not JSON" : "not a measurement of smem-validate measure"));
      cut = true;
      measurement.warnings.push_back(where + "cut off; the launches before it are used");
      break;
    }
    try {
      const std::string kind = text_of(json, "kind");
      if (kind == "session") {
        if (count_of(json, "schema_version") != 1)
          throw InputError("schema version is not 1");
        measurement.gpu = text_of(json, "gpu");
        measurement.chip = text_of(json, "chip");
        measurement.compute_capability = text_of(json, "compute_capability");
        measurement.date = text_of(json, "date");
        measurement.hashes.merge(hashes_of(json));
        session = true;
      } else if (kind == "error") {
        const std::string hint = text_of(json, "hint");
        measurement.warnings.push_back(where + "the measurement failed: " + text_of(json, "message") +
                                       (hint.empty() ? "" : "; " + hint));
        session = true;
      } else if (!session) {
        throw InputError("not a measurement of smem-validate measure");
      } else if (kind == "launch") {
        measurement.launches.push_back(read_launch(json));
        measurement.launches.back().record = number;
      } else if (kind == "sources") {
        measurement.hashes.merge(hashes_of(json));
      } else if (kind == "graph") {
        measurement.warnings.push_back(where + "a graph's launches cannot be told apart and are not compared");
      } else if (kind == "end") {
        ended = true;
      }
    } catch (const InputError &error) {
      throw InputError(where + error.what());
    }
  }
  if (!session)
    throw InputError(name + ": " + (number == 0 ? "empty" : "not a measurement of smem-validate measure"));
  if (!ended && !cut)
    measurement.warnings.push_back(name + ": the measured program did not run to its end");
  return measurement;
}

} // namespace smem::compare
