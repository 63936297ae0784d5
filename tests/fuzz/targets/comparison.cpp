// What `smem-validate compare` reads: a report and a recording, parted by a zero byte. What can be read can be compared and shown.
#include "compare/join.h"
#include "compare/read.h"
#include "compare/render.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace smem::compare;
  const std::string_view all(reinterpret_cast<const char *>(data), size);
  const std::size_t end = std::min(all.find('\0'), all.size());
  std::istringstream predicted{std::string(all.substr(0, end))},
      measured{std::string(all.substr(std::min(end + 1, all.size())))};
  try {
    const Prediction prediction = read_prediction(predicted, "p.json");
    const Measurement measurement = read_measurement(measured, "m.jsonl");
    const Comparison comparison = compare(prediction, measurement);
    const Provenance provenance{"p.json", "m.jsonl", prediction.arch, measurement.gpu, measurement.date};
    (void)render_text(comparison, provenance, {.verbose = true});
    (void)render_json(comparison, provenance);
    (void)render_markdown(comparison, provenance);
    (void)remarks(comparison);
  } catch (const InputError &) {}
  return 0;
}
