// Runs every pattern through every memory operation and writes the hardware's counters for each.
//
// A pattern needs an instruction of its own, since counters are kept per machine instruction and launch.  A kernel
// therefore holds 64 copies of one instruction, each reading its lane offsets and mask from its own table row in
// constant memory (whose reads no counter of ours sees), with a barrier between copies so that they keep their order.
// Operations that the compiler expands into loops get a kernel with a single copy.
//
//   cuobjdump -sass ./microbench > microbench.sass
//   ./microbench --sass microbench.sass --out microbench.json
#include "../measure/counters.h"
#include "operations.cuh"
#include "patterns.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>

namespace smem_lint::microbench {

using namespace validate;

constexpr int kCopies = 64;
constexpr int kSharedBytes = 128 * 1024;
constexpr std::size_t kGlobalBytes = std::size_t{1} << 20;

__constant__ std::uint32_t c_first[kCopies * kLanes];
__constant__ std::uint32_t c_second[kCopies * kLanes];
__constant__ std::uint32_t c_mask[kCopies];
__constant__ std::uint32_t c_aux[kCopies];

template <class Op>
__global__ void bench(std::uint32_t* sink, char* global, int zero, std::uint32_t value) {
  extern __shared__ __align__(1024) char shared[];
  const std::uint32_t base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  const std::uint32_t lane = threadIdx.x % 32;
  // `zero` is unknown to the compiler, so these two pointers stay generic.
  char* const generic_shared = zero ? global : shared;
  char* const generic_global = zero ? shared : global;
  // A loop of compare-and-swap ends early where an addition does not change the value: begin with zeros.
  if constexpr (Op::copies == 1) {
    for (int i = threadIdx.x; i < kSharedBytes / 4; i += blockDim.x) reinterpret_cast<std::uint32_t*>(shared)[i] = 0;
    __syncthreads();
  }
  std::uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < Op::copies; ++k) {
    // `zero` makes each copy's address depend on the copy before, which keeps even read-only loads in order.
    const std::uint32_t first = c_first[k * kLanes + lane] + (sum & zero), second = c_second[k * kLanes + lane];
    Lane a;
    a.shared = base + first;
    a.global = global + (Op::space == Space::both ? second : first);
    a.generic_shared = generic_shared + first;
    a.generic_global = generic_global + first;
    a.on = c_mask[k] >> lane & 1;
    a.aux = c_aux[k] >> lane & 1;
    a.value = value + lane;
    sum ^= Op::run(a);
    asm volatile("bar.sync 0;" ::: "memory");
  }
  sink[threadIdx.x + 1] = sum;
  if (threadIdx.x == 0) sink[0] = base;
}

struct Operation {
  std::string name, targets, function;
  Space space;
  int width, copies;
  const void* kernel;
};

void check(cudaError_t error, const char* call) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

template <class Op>
Operation describe() {
  Operation op{Op::name, Op::targets, "", Op::space, Op::width, Op::copies, reinterpret_cast<const void*>(&bench<Op>)};
  const char* function = nullptr;
  check(cudaFuncGetName(&function, op.kernel), "cudaFuncGetName");
  op.function = function;
  check(cudaFuncSetAttribute(op.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes), "cudaFuncSetAttribute");
  return op;
}

template <class... Ops>
std::vector<Operation> describe_all(OperationList<Ops...>) {
  return {describe<Ops>()...};
}

// function -> (offset -> opcode), from the text that cuobjdump prints.
using Disassembly = std::map<std::string, std::map<std::uint32_t, std::string>>;

Disassembly read_disassembly(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  Disassembly result;
  std::string line, function;
  while (std::getline(in, line)) {
    if (const auto at = line.find("Function : "); at != std::string::npos) {
      function = line.substr(at + 11);
      continue;
    }
    const auto open = line.find("/*"), close = line.find("*/");
    const auto end = line.find(';');
    if (open == std::string::npos || close == std::string::npos || end == std::string::npos || end < close) continue;
    std::istringstream words(line.substr(close + 2, end - close - 2));
    std::string word;
    words >> word;
    if (!word.empty() && word[0] == '@') words >> word;
    result[function][std::stoul(line.substr(open + 2, close - open - 2), nullptr, 16)] = word;
  }
  return result;
}

bool is_target(const Operation& op, const std::string& opcode) {
  std::istringstream words(op.targets);
  const std::string stem = opcode.substr(0, opcode.find('.'));
  for (std::string word; words >> word;)
    if (word == stem) return true;
  return false;
}

// The measured counters of one operation: per target instruction of a copy, one row a pattern.
struct Column {
  std::string opcode;
  std::vector<Counters> rows;
};

class Bench {
 public:
  Bench(CounterSession& session, const std::vector<Pattern>& patterns, const Disassembly& sass)
      : session_(session), patterns_(patterns), sass_(sass) {
    check(cudaMalloc(&sink_, 4096), "cudaMalloc");
    check(cudaMalloc(&global_, kGlobalBytes), "cudaMalloc");
    check(cudaMemset(global_, 0, kGlobalBytes), "cudaMemset");
  }

  // `ids` and `partners` are indices of patterns; a partner drives the second address and the second predicate.
  std::vector<Column> run(const Operation& op, const std::vector<int>& ids, const std::vector<int>& partners,
                          int warps = 1, int blocks = 1) {
    const auto listing = sass_.find(op.function);
    if (listing == sass_.end()) throw std::runtime_error(op.name + ": no disassembly of " + op.function);
    std::vector<std::uint32_t> targets;
    for (const auto& [pc, opcode] : listing->second)
      if (is_target(op, opcode)) targets.push_back(pc);
    // The two stores of the sink come last.
    if (targets.size() == static_cast<std::size_t>(op.copies) + 2) targets.resize(op.copies);
    if (targets.empty() || targets.size() % op.copies)
      throw std::runtime_error(op.name + ": " + std::to_string(targets.size()) + " target instructions for " +
                               std::to_string(op.copies) + " copies");
    const int per_copy = static_cast<int>(targets.size()) / op.copies;
    std::vector<Column> columns(per_copy);
    for (int t = 0; t < per_copy; ++t) columns[t].opcode = listing->second.at(targets[t]);
    for (std::size_t begin = 0; begin < ids.size(); begin += op.copies) {
      const int used = static_cast<int>(std::min<std::size_t>(op.copies, ids.size() - begin));
      std::vector<std::uint32_t> first(op.copies * kLanes), second(op.copies * kLanes), mask(op.copies), aux(op.copies);
      for (int k = 0; k < used; ++k) {
        const Pattern &p = patterns_[ids[begin + k]], &q = patterns_[partners[begin + k]];
        mask[k] = p.mask;
        aux[k] = q.mask;
        for (int lane = 0; lane < kLanes; ++lane) {
          first[k * kLanes + lane] = p.index[lane] * op.width;
          second[k * kLanes + lane] = q.index[lane] * op.width;
        }
      }
      check(cudaMemcpyToSymbol(c_first, first.data(), first.size() * 4), "cudaMemcpyToSymbol");
      check(cudaMemcpyToSymbol(c_second, second.data(), second.size() * 4), "cudaMemcpyToSymbol");
      check(cudaMemcpyToSymbol(c_mask, mask.data(), mask.size() * 4), "cudaMemcpyToSymbol");
      check(cudaMemcpyToSymbol(c_aux, aux.data(), aux.size() * 4), "cudaMemcpyToSymbol");
      int zero = 0;
      std::uint32_t value = 7;
      void* args[] = {&sink_, &global_, &zero, &value};
      check(cudaLaunchKernel(op.kernel, dim3(blocks), dim3(32 * warps), args, kSharedBytes, nullptr), "cudaLaunchKernel");
      check(cudaDeviceSynchronize(), op.name.c_str());
      auto taken = session_.take();
      const auto& rows = taken[op.function].rows;
      for (int k = 0; k < used; ++k)
        for (int t = 0; t < per_copy; ++t) {
          const auto row = rows.find(targets[k * per_copy + t]);
          columns[t].rows.push_back(row == rows.end() ? Counters{} : row->second);
        }
      ++launches;
    }
    return columns;
  }

  std::uint32_t shared_base() {
    std::uint32_t base = 0;
    check(cudaMemcpy(&base, sink_, 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return base;
  }

  int launches = 0;

 private:
  CounterSession& session_;
  const std::vector<Pattern>& patterns_;
  const Disassembly& sass_;
  std::uint32_t* sink_ = nullptr;
  char* global_ = nullptr;
};

void write_list(std::ostream& out, const std::vector<int>& list) {
  out << '[';
  for (std::size_t i = 0; i < list.size(); ++i) out << (i ? "," : "") << list[i];
  out << ']';
}

void write_patterns(std::ostream& out, const std::vector<Pattern>& patterns) {
  out << "\"patterns\":[\n";
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto& p = patterns[i];
    char mask[16];
    std::snprintf(mask, sizeof mask, "%08x", p.mask);
    out << "[\"" << p.family << "\",\"" << mask << "\"";
    for (auto index : p.index) out << ',' << index;
    out << "]" << (i + 1 < patterns.size() ? "," : "") << '\n';
  }
  out << "],\n";
}

void write_columns(std::ostream& out, const std::vector<Column>& columns) {
  static constexpr const char* kNames[] = {"executed", "threads", "wavefronts", "wavefronts_ideal", "tags", "sectors", "sectors_ideal"};
  out << "\"instructions\":[";
  for (std::size_t c = 0; c < columns.size(); ++c) {
    out << (c ? ",\n" : "\n") << "{\"opcode\":\"" << columns[c].opcode << '"';
    for (int counter = 0; counter < counter_count; ++counter) {
      std::vector<int> list;
      for (const auto& row : columns[c].rows) list.push_back(static_cast<int>(row[counter]));
      // A column that is the same number throughout is written as that number.
      out << ",\n\"" << kNames[counter] << "\":";
      if (!list.empty() && std::all_of(list.begin(), list.end(), [&](int v) { return v == list[0]; })) out << list[0];
      else write_list(out, list);
    }
    out << '}';
  }
  out << ']';
}

int main(int argc, char** argv) {
  std::string sass_path, out_path = "microbench.json", filter, command;
  int every = 1;
  std::uint32_t seed = 20250101;
  for (int i = 0; i < argc; ++i) command += (i ? " " : "") + std::string(argv[i]);
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string key = argv[i], value = argv[i + 1];
    if (key == "--sass") sass_path = value;
    else if (key == "--out") out_path = value;
    else if (key == "--only") filter = value;
    else if (key == "--every") every = std::stoi(value);
    else if (key == "--seed") seed = static_cast<std::uint32_t>(std::stoul(value));
    else throw std::runtime_error("unknown option " + key + "; known: --sass --out --only --every --seed");
  }
  CUdevice device = 0;
  CUcontext context = nullptr;
  if (cuInit(0) != CUDA_SUCCESS) throw std::runtime_error("no CUDA driver");
  CounterSession::subscribe([](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {});
  CounterSession::initialize();
  if (cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
      cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS || cuCtxSetCurrent(context) != CUDA_SUCCESS)
    throw std::runtime_error("no CUDA device");
  CounterSession session(context, 0);
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  const auto operations = describe_all(AllOperations{});
  const auto sass = read_disassembly(sass_path);
  auto patterns = make_patterns(seed);
  const std::size_t common = patterns.size();
  for (auto& pattern : make_wide_patterns(seed)) patterns.push_back(std::move(pattern));
  Bench bench(session, patterns, sass);

  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::ofstream out(out_path);
  out << "{\"schema_version\":1,\n\"gpu\":\"" << properties.name << "\",\"compute_capability\":\"" << properties.major << '.'
      << properties.minor << "\",\"chip\":\"" << session.chip() << "\",\"driver\":" << driver << ",\"runtime\":" << runtime
      << ",\"date\":\"" << date << "\",\"command\":\"" << command << "\",\"seed\":" << seed << ",\n";
  write_patterns(out, patterns);
  out << "\"operations\":[";
  bool first_written = true;
  int failed = 0;
  for (const auto& op : operations) {
    if (!filter.empty() && op.name.find(filter) == std::string::npos) continue;
    std::vector<int> ids, partners;
    Random pick(seed + 1);
    const bool uniform = op.name.find("matrix") != std::string::npos || op.name.find("always") != std::string::npos;
    const bool wide = op.space != Space::global && op.width >= 8 && op.name.find("matrix") == std::string::npos;
    const int step = every * (op.copies == 1 ? 3 : 1);
    int phase = 0;
    for (int i = 0; i < static_cast<int>(wide ? patterns.size() : common); ++i) {
      if (uniform && patterns[i].mask != kFull && (patterns[i].mask != 0 || op.space == Space::both)) continue;
      if (phase++ % step) continue;
      ids.push_back(i);
      partners.push_back(op.space != Space::both ? i : i % 4 == 1 ? 1 : static_cast<int>(pick.below(patterns.size())));
    }
    const auto start = std::chrono::steady_clock::now();
    const int launched = bench.launches;
    try {
      const auto columns = bench.run(op, ids, partners);
      // A second run of the first patterns must give the same integers, and six warps six times as much.
      const std::vector<int> some(ids.begin(), ids.begin() + std::min<std::size_t>(ids.size(), op.copies));
      const std::vector<int> some_partners(partners.begin(), partners.begin() + some.size());
      const auto again = bench.run(op, some, some_partners);
      const auto many = bench.run(op, some, some_partners, 2, 3);
      int unstable = 0, unscaled = 0, wrong_threads = 0;
      for (std::size_t c = 0; c < columns.size(); ++c)
        for (std::size_t i = 0; i < some.size(); ++i)
          for (int k = 0; k < counter_count; ++k) {
            unstable += columns[c].rows[i][k] != again[c].rows[i][k];
            unscaled += 6 * columns[c].rows[i][k] != many[c].rows[i][k];
          }
      if (columns.size() == 1)
        for (std::size_t i = 0; i < ids.size(); ++i)
          wrong_threads += columns[0].rows[i][threads] != static_cast<std::uint64_t>(std::popcount(patterns[ids[i]].mask));
      out << (first_written ? "\n" : ",\n") << "{\"name\":\"" << op.name << "\",\"space\":\""
          << (op.space == Space::shared ? "shared" : op.space == Space::global ? "global" : "both") << "\",\"width\":" << op.width
          << ",\n\"pattern\":";
      if (static_cast<int>(ids.size()) == static_cast<int>(patterns.size())) out << "\"all\"";
      else write_list(out, ids);
      if (op.space == Space::both) {
        out << ",\n\"partner\":";
        write_list(out, partners);
      }
      out << ",\n";
      write_columns(out, columns);
      out << "}";
      first_written = false;
      std::printf("%-28s %-22s %5zu patterns %4d launches %5.2f s  base %u  unstable %d unscaled %d threads %d\n", op.name.c_str(),
                  columns[0].opcode.c_str(), ids.size(), bench.launches - launched,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), bench.shared_base(), unstable, unscaled, wrong_threads);
    } catch (const std::exception& error) {
      std::printf("%-28s FAILED: %s\n", op.name.c_str(), error.what());
      ++failed;
      if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) break;
    }
    std::fflush(stdout);
  }
  out << "\n]}\n";
  return failed ? 1 : 0;
}

}  // namespace smem_lint::microbench

int main(int argc, char** argv) try {
  return smem_lint::microbench::main(argc, argv);
} catch (const std::exception& error) {
  std::fprintf(stderr, "microbench: %s\n", error.what());
  return 2;
}
