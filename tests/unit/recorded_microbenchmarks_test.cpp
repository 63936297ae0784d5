// Every request that was measured on hardware, against the memory model: all integers have to be equal.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "smem/architecture.h"
#include "smem/memory_model.h"

namespace smem {
namespace {

using Json = nlohmann::json;

struct Pattern {
  LaneMask active = 0;
  std::array<std::uint64_t, kWarpSize> index{}; ///< in accesses of the operation's width
};

Request request_of(const Pattern &pattern, unsigned width_bytes) {
  Request request;
  request.active = pattern.active;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    request.address[lane] = pattern.index[lane] * width_bytes;
  return request;
}

/// A column of counters: one number a pattern, or one for all.
class Column {
public:
  explicit Column(const Json &json) : json_(json) {}
  std::uint32_t operator[](std::size_t row) const {
    return json_.is_array() ? json_[row].get<std::uint32_t>() : json_.get<std::uint32_t>();
  }

private:
  const Json &json_;
};

/// The counters of one machine instruction.
struct Counters {
  Column executed, wavefronts, ideal_wavefronts, sectors, ideal_sectors, tags;

  explicit Counters(const Json &instruction)
      : executed(instruction.at("executed")), wavefronts(instruction.at("wavefronts")),
        ideal_wavefronts(instruction.at("wavefronts_ideal")), sectors(instruction.at("sectors")),
        ideal_sectors(instruction.at("sectors_ideal")), tags(instruction.at("tags")) {}

  RequestCost row(std::size_t i) const {
    return {.wavefronts = wavefronts[i],
            .ideal_wavefronts = ideal_wavefronts[i],
            .sectors = sectors[i],
            .ideal_sectors = ideal_sectors[i],
            .tags = tags[i]};
  }
};

/// One operation of the micro-benchmark, e.g. "shared.load.128", and what was counted for it.
struct Recorded {
  std::string name;
  unsigned width_bytes = 0;
  std::vector<std::size_t> patterns, partners;
  const Json *instructions = nullptr;
};

class Record {
public:
  explicit Record(const std::string &path) {
    std::ifstream file(path);
    if (!file)
      throw std::runtime_error("cannot read " + path);
    json_ = Json::parse(file);
    for (const Json &row : json_.at("patterns")) {
      Pattern pattern;
      pattern.active = static_cast<LaneMask>(std::stoul(row.at(1).get<std::string>(), nullptr, 16));
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        pattern.index[lane] = row.at(2 + lane);
      patterns_.push_back(pattern);
    }
    for (const Json &operation : json_.at("operations")) {
      Recorded recorded{operation.at("name"), operation.at("width"), {}, {}, &operation.at("instructions")};
      if (operation.at("pattern").is_string())
        for (std::size_t i = 0; i < patterns_.size(); ++i)
          recorded.patterns.push_back(i);
      else
        recorded.patterns = operation.at("pattern").get<std::vector<std::size_t>>();
      if (operation.contains("partner"))
        recorded.partners = operation.at("partner").get<std::vector<std::size_t>>();
      operations_.push_back(std::move(recorded));
    }
  }

  const std::vector<Recorded> &operations() const { return operations_; }
  const Pattern &pattern(std::size_t i) const { return patterns_.at(i); }
  std::string compute_capability() const { return json_.at("compute_capability"); }

private:
  Json json_;
  std::vector<Pattern> patterns_;
  std::vector<Recorded> operations_;
};

const Record &sm90() {
  static const Record record(SMEM_LINT_SOURCE_DIR "/validate/recorded/microbench-sm_90.json");
  return record;
}

std::vector<std::string> words_of(const std::string &name) {
  std::vector<std::string> words;
  std::istringstream text(name);
  for (std::string word; std::getline(text, word, '.');)
    words.push_back(word);
  return words;
}

bool contains(const std::vector<std::string> &words, const std::string &word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "shared.atom.add.one.u32" and the like, in the memory model's terms.
Access access_of(const Recorded &operation) {
  const std::vector<std::string> words = words_of(operation.name);
  Access access;
  access.width_bits = static_cast<std::uint16_t>(8 * operation.width_bytes);
  if (words[0] == "ldmatrix" || words[0] == "stmatrix") {
    access.operation = words[0] == "ldmatrix" ? Operation::MatrixLoad : Operation::MatrixStore;
    access.matrices = static_cast<std::uint8_t>(words[1][1] - '0');
    access.transposed = contains(words, "trans");
    return access;
  }
  if (words[0] == "cp") {
    access.operation = Operation::AsyncCopy;
    access.bypass_l1 = words[2] == "cg";
    access.plain_copy = contains(words, "always") || contains(words, "branch"); // the others are predicated
    return access;
  }
  access.space = words[0].ends_with("shared") ? Space::Shared : Space::Global;
  if (words[1] == "load" || words[1] == "store") {
    access.operation = words[1] == "load" ? Operation::Load : Operation::Store;
    return access;
  }
  access.operation = Operation::Atomic;
  access.result_used = words[1] == "atom";
  static const std::map<std::string, AtomicKind> kinds{
      {"add", AtomicKind::Add},
      {"min", AtomicKind::Min},
      {"max", AtomicKind::Max},
      {"and", AtomicKind::And},
      {"or", AtomicKind::Or},
      {"xor", AtomicKind::Xor},
      {"exch", AtomicKind::Exchange},
      {"cas", AtomicKind::CompareAndSwap},
      {"inc", AtomicKind::IncrementWrap},
      {"dec", AtomicKind::DecrementWrap},
  };
  access.atomic = kinds.at(words[2]);
  if (contains(words, "one"))
    access.atomic = AtomicKind::Increment;
  if (words.back().find('f') != std::string::npos)
    access.atomic = AtomicKind::FloatAdd;
  return access;
}

/// 64-bit minima and maxima compare before they swap, so the counters depend on what the memory holds.
bool depends_on_values(const Access &access) {
  return access.space == Space::Shared && access.width_bits == 64 &&
         (access.atomic == AtomicKind::Min || access.atomic == AtomicKind::Max);
}

/// The counters know nothing of the conflict degree.
RequestCost counted(RequestCost cost) {
  cost.conflict_degree = 0;
  return cost;
}

std::string describe(const RequestCost &cost) {
  std::ostringstream text;
  text << "wavefronts " << cost.wavefronts << " ideal " << cost.ideal_wavefronts << " sectors " << cost.sectors
       << " ideal " << cost.ideal_sectors << " tags " << cost.tags;
  return text.str();
}

struct Tally {
  int rows = 0, unknown = 0, different = 0;

  void compare(const Recorded &operation, std::size_t row, const RequestCost &measured, const RequestCost &predicted) {
    ++rows;
    if (measured == counted(predicted))
      return;
    if (++different <= 5)
      ADD_FAILURE() << operation.name << ", pattern " << operation.patterns[row]
                    << "\n  measured:  " << describe(measured) << "\n  predicted: " << describe(predicted);
  }
};

void compare_requests(const Recorded &operation, const Access &access, const Architecture &architecture, Tally &tally) {
  ASSERT_EQ(unsupported_reason(access, architecture), "") << operation.name;
  ASSERT_EQ(operation.instructions->size(), 1u) << operation.name;
  const Counters measured(operation.instructions->at(0));
  for (std::size_t row = 0; row < operation.patterns.size(); ++row) {
    const Request request = request_of(sm90().pattern(operation.patterns[row]), operation.width_bytes);
    tally.compare(operation, row, measured.row(row), evaluate(request, access, architecture));
  }
}

void compare_loops(const Recorded &operation, const Access &access, const Architecture &architecture, Tally &tally) {
  EXPECT_NE(unsupported_reason(access, architecture), "") << operation.name;
  ASSERT_EQ(operation.instructions->size(), 2u) << operation.name;
  const Counters load(operation.instructions->at(0)), swap(operation.instructions->at(1));
  for (std::size_t row = 0; row < operation.patterns.size(); ++row) {
    const Request request = request_of(sm90().pattern(operation.patterns[row]), operation.width_bytes);
    const AtomicLoopCost predicted = evaluate_atomic_loop(request, access, architecture);
    tally.compare(operation, row, load.row(row), predicted.load);
    tally.compare(operation, row, swap.row(row), predicted.swap);
    EXPECT_EQ(load.executed[row], predicted.trips) << operation.name;
    EXPECT_EQ(swap.executed[row], predicted.trips) << operation.name;
  }
}

/// The partner pattern drives the source addresses; where the copy fills with zeros, its mask has the lanes that read.
void compare_copies(const Recorded &operation, const Access &access, const Architecture &architecture, Tally &tally) {
  const std::vector<std::string> words = words_of(operation.name);
  const Counters measured(operation.instructions->at(0));
  for (std::size_t row = 0; row < operation.patterns.size(); ++row) {
    const Request destination = request_of(sm90().pattern(operation.patterns[row]), operation.width_bytes);
    Request source = request_of(sm90().pattern(operation.partners[row]), operation.width_bytes);
    source.active = contains(words, "zero") ? destination.active & source.active : destination.active;
    // The counters of a predicated copy that bypasses L1 fail now and then, and then read 0.
    if (contains(words, "branch") && destination.active != 0 && measured.sectors[row] == 0) {
      ++tally.unknown;
      continue;
    }
    const CopyCost predicted = evaluate_copy(destination, source, access, architecture);
    RequestCost expected = predicted.cost, counters = measured.row(row);
    if (!predicted.shared_unknown.empty()) {
      ++tally.unknown;
      counters.wavefronts = expected.wavefronts;
      counters.ideal_wavefronts = expected.ideal_wavefronts;
    }
    if (!predicted.global_unknown.empty()) {
      counters.sectors = expected.sectors;
      counters.ideal_sectors = expected.ideal_sectors;
    }
    tally.compare(operation, row, counters, expected);
  }
}

TEST(RecordedMicrobenchmarks, EveryRowIsReproduced) {
  const Architecture &architecture = *find_architecture("sm_90");
  ASSERT_EQ(sm90().compute_capability(), "9.0");
  ASSERT_GE(sm90().operations().size(), 90u);
  Tally total;
  for (const Recorded &operation : sm90().operations()) {
    const Access access = access_of(operation);
    Tally tally;
    if (access.operation == Operation::AsyncCopy)
      compare_copies(operation, access, architecture, tally);
    else if (depends_on_values(access))
      EXPECT_NE(unsupported_reason(access, architecture), "") << operation.name;
    else if (is_atomic_loop(access, architecture))
      compare_loops(operation, access, architecture, tally);
    else
      compare_requests(operation, access, architecture, tally);
    EXPECT_EQ(tally.different, 0) << operation.name << " of " << tally.rows;
    total.rows += tally.rows;
    total.unknown += tally.unknown;
    total.different += tally.different;
  }
  std::cout << total.rows << " recorded rows, " << total.unknown << " with unknown wavefronts, " << total.different
            << " different\n";
  EXPECT_GT(total.rows, 150'000);
}

} // namespace
} // namespace smem
