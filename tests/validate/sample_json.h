// The two inputs of a comparison, written down briefly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace smem::compare {

struct Counts {
  std::uint64_t requests = 0, wavefronts = 0, ideal_wavefronts = 0, sectors = 0, ideal_sectors = 0, tags = 0;
};

inline std::string site(const std::string &file, unsigned line, const std::string &space, const std::string &operation,
                        unsigned width, const Counts &c, const std::string &verdict = "exact",
                        const std::string &inlined_at = "") {
  const bool known = verdict != "unknown";
  const auto count = [&](const char *key, std::uint64_t value) {
    return std::string(",\"") + key + "\":" + (known ? std::to_string(value) : "null");
  };
  return R"({"file":")" + file + R"(","line":)" + std::to_string(line) + R"(,"column":3,"inlined_at":[)" + inlined_at +
         R"(],"space":")" + space + R"(","operation":")" + operation + R"(","width_bits":)" + std::to_string(width) +
         R"(,"instructions":1,"expression":"tile[i]","address":null,"verdict":")" + verdict + R"(","reason":)" +
         (known ? "null" : "\"data\"") + count("requests", c.requests) + count("wavefronts", c.wavefronts) +
         count("ideal_wavefronts", c.ideal_wavefronts) + count("conflict_degree", 1) + count("sectors", c.sectors) +
         count("ideal_sectors", c.ideal_sectors) + count("tags", c.tags) + "}";
}

/// The same site, whose line is assumed.
inline std::string line_assumed(std::string site) { return site.insert(1, R"("line_assumed":true,)"); }

inline std::string joined(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ",") + part;
  return text;
}

inline std::string predicted_launch(const std::string &mangled, const std::vector<std::string> &sites,
                                    const std::string &grid = "[1,1,1]", const std::string &block = "[32,1,1]") {
  return R"({"kernel":")" + mangled + R"(","mangled":")" + mangled +
         R"(","file":"src/k.cu","line":1,"column":1,"grid":)" + grid + R"(,"block":)" + block +
         R"(,"dynamic_shared_bytes":0,"shared_bytes":0,"arguments":[],"sites":[)" + joined(sites) +
         R"(],"problems":[]})";
}

inline std::string prediction(const std::vector<std::string> &launches, const std::string &more = "") {
  return R"({"schema_version":"1.0","tool":{"name":"smem-lint","version":"0"},"arch":"sm_90","files":[],"launches":[)" +
         joined(launches) + "]" + more + "}";
}

inline std::string instruction(unsigned pc, const std::string &opcode, unsigned width, const std::string &file,
                               unsigned line, const Counts &c, const std::string &inlined_at = "") {
  return R"({"function":"k","pc":)" + std::to_string(pc) + (opcode.empty() ? "" : R"(,"opcode":")" + opcode + "\"") +
         (width ? R"(,"width":)" + std::to_string(width) : "") + R"(,"file":")" + file + R"(","line":)" +
         std::to_string(line) + (inlined_at.empty() ? "" : R"(,"inlined_at":[)" + inlined_at + "]") +
         R"(,"executed":)" + std::to_string(c.requests) + R"(,"threads":0,"wavefronts":)" +
         std::to_string(c.wavefronts) + R"(,"wavefronts_ideal":)" + std::to_string(c.ideal_wavefronts) + R"(,"tags":)" +
         std::to_string(c.tags) + R"(,"sectors":)" + std::to_string(c.sectors) + R"(,"sectors_ideal":)" +
         std::to_string(c.ideal_sectors) + "}";
}

inline std::string measured_launch(const std::string &mangled, const std::vector<std::string> &instructions,
                                   const std::string &grid = "[1,1,1]", const std::string &block = "[32,1,1]",
                                   const std::string &more = R"("result":"success","line_info":true)") {
  return R"({"kind":"launch","index":0,"kernel":")" + mangled + R"(","demangled":")" + mangled + R"(","grid":)" + grid +
         R"(,"block":)" + block + R"(,"shared_static":0,"shared_dynamic":0,)" + more + R"(,"instructions":[)" +
         joined(instructions) + "]}\n";
}

inline const std::string session =
    R"({"kind":"session","schema_version":1,"gpu":"H200","chip":"gh100","compute_capability":"9.0","date":"2025-01-01T00:00:00Z"})"
    "\n";
inline const std::string end = "{\"kind\":\"end\",\"launches\":1,\"measured\":1}\n";

inline std::string measurement(const std::vector<std::string> &launches) {
  std::string text = session;
  for (const std::string &launch : launches)
    text += launch;
  return text + end;
}

} // namespace smem::compare
