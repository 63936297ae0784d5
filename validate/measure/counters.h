// The seven per-instruction counters of one kernel launch, read in process through CUPTI's SASS metrics.
#pragma once

#include "cupti_error.h"

#include <cuda.h>
#include <cupti_callbacks.h>
#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace smem_lint::validate {

enum Counter { executed, threads, wavefronts, wavefronts_ideal, tags, sectors, sectors_ideal, counter_count };

inline constexpr std::array<const char *, counter_count> kMetricNames{
    "smsp__sass_inst_executed",
    "smsp__sass_thread_inst_executed_pred_on",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
    "smsp__sass_l1tex_tags_mem_global",
    "smsp__sass_sectors_mem_global",
    "smsp__sass_sectors_mem_global_ideal"};

using Counters = std::array<std::uint64_t, counter_count>;

struct FunctionCounters {
  std::uint32_t cubin_crc = 0;
  std::map<std::uint32_t, Counters> rows; // by the instruction's offset in the function
};

// Configure once for the life of the process: a second configuration after unset fails on CUDA 13.0.
class CounterSession {
public:
  // Call after cuInit.  Somebody in the process must subscribe to the resource callbacks (see below) before the first
  // module is loaded.
  static void initialize() {
    CUpti_Profiler_Initialize_Params initialize{};
    initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
    check_cupti(cuptiProfilerInitialize(&initialize), "cuptiProfilerInitialize");
  }

  // Without a subscriber to the resource callbacks CUPTI returns records for the first function and launch alone.
  static CUpti_SubscriberHandle subscribe(CUpti_CallbackFunc callback) {
    CUpti_SubscriberHandle subscriber = nullptr;
    check_cupti(cuptiSubscribe(&subscriber, callback, nullptr), "cuptiSubscribe");
    check_cupti(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE), "cuptiEnableDomain");
    return subscriber;
  }

  CounterSession(CUcontext context, std::uint32_t device) : context_(context) {
    CUpti_Device_GetChipName_Params chip{};
    chip.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
    chip.deviceIndex = device;
    check_cupti(cuptiDeviceGetChipName(&chip), "cuptiDeviceGetChipName");
    chip_ = chip.pChipName;
    std::vector<CUpti_SassMetrics_Config> configs;
    for (int i = 0; i < counter_count; ++i) {
      CUpti_SassMetrics_GetProperties_Params p{};
      p.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE;
      p.pChipName = chip_.c_str();
      p.pMetricName = kMetricNames[i];
      check_cupti(cuptiSassMetricsGetProperties(&p), kMetricNames[i]);
      slot_[p.metric.metricId] = i;
      configs.push_back({p.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    }
    CUpti_SassMetricsSetConfig_Params set{};
    set.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE;
    set.numOfMetricConfig = configs.size();
    set.pConfigs = configs.data();
    set.deviceIndex = device;
    check_cupti(cuptiSassMetricsSetConfig(&set), "cuptiSassMetricsSetConfig");
    CUpti_SassMetricsEnable_Params enable{};
    enable.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE;
    enable.ctx = context_;
    enable.enableLazyPatching = 1;
    check_cupti(cuptiSassMetricsEnable(&enable), "cuptiSassMetricsEnable");
  }

  const std::string &chip() const { return chip_; }

  // The counters since the last call, by the function's mangled name.  Call after the launch has finished.
  std::map<std::string, FunctionCounters> take() {
    std::map<std::string, FunctionCounters> result;
    CUpti_SassMetricsGetDataProperties_Params size{};
    size.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE;
    size.ctx = context_;
    check_cupti(cuptiSassMetricsGetDataProperties(&size), "cuptiSassMetricsGetDataProperties");
    const std::size_t records = size.numOfPatchedInstructionRecords;
    const std::size_t values = size.numOfInstances * counter_count; // room for every metric of every instance
    if (records == 0 || values == 0)
      return result;
    instance_values_.assign(records * values, {~std::uint64_t{0}, 0});
    data_.assign(records, {});
    for (std::size_t i = 0; i < records; ++i) {
      data_[i].structSize = sizeof(CUpti_SassMetrics_Data);
      data_[i].pInstanceValues = &instance_values_[i * values];
    }
    CUpti_SassMetricsFlushData_Params flush{};
    flush.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
    flush.ctx = context_;
    flush.numOfPatchedInstructionRecords = records;
    flush.numOfInstances = size.numOfInstances;
    flush.pMetricsData = data_.data();
    check_cupti(cuptiSassMetricsFlushData(&flush), "cuptiSassMetricsFlushData");
    for (const auto &record : data_) {
      if (!record.functionName)
        continue;
      FunctionCounters &function = result[record.functionName];
      function.cubin_crc = record.cubinCrc;
      Counters &row = function.rows[record.pcOffset];
      for (std::size_t v = 0; v < values; ++v) {
        const auto found = slot_.find(record.pInstanceValues[v].metricId);
        if (found != slot_.end())
          row[found->second] += record.pInstanceValues[v].value;
      }
    }
    return result;
  }

private:
  CUcontext context_;
  std::string chip_;
  std::map<std::uint64_t, int> slot_;
  std::vector<CUpti_SassMetrics_InstanceValue> instance_values_;
  std::vector<CUpti_SassMetrics_Data> data_;
};

} // namespace smem_lint::validate
