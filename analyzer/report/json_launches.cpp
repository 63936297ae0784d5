#include "report/json_writer.h"

#include <algorithm>

#include "report/claim.h"
#include "report/launch_floor.h"
#include "report/machine_text.h"

namespace smem {

std::string_view JsonWriter::identifier(Provenance provenance) {
  switch (provenance) {
  case Provenance::Option: return "option";
  case Provenance::Comment: return "comment";
  case Provenance::Config: return "config";
  case Provenance::Recorded: return "recorded";
  case Provenance::HostCode: return "host_code";
  case Provenance::LaunchBounds: return "launch_bounds";
  case Provenance::Assumed: return "assumed";
  }
  return "assumed";
}

void JsonWriter::write_launch(const FileAnalysis &file, const LaunchAnalysis &analysis) {
  const Program &program = file.programs[analysis.program];
  const Launch &launch = analysis.launch;
  json.object([&] {
    json.attribute("kernel", utf8(program.kernel));
    json.attribute("mangled", utf8(program.mangled));
    architecture(file);
    place(program.location);
    dim("grid", launch.grid);
    dim("block", launch.block);
    json.attribute("dynamic_shared_bytes", launch.dynamic_shared_bytes);
    json.attribute("shared_bytes", analysis.result.shared_bytes);
    write_floor(file, analysis);
    json.attributeArray("arguments", [&] {
      for (const ArgumentValue &argument : launch.arguments)
        write_argument(program, argument);
    });
    json.attributeObject("origin", [&] {
      json.attribute("kind", std::string(identifier(launch.shape_provenance)));
      place_object("location", launch.location);
      if (launch.called_from.known())
        place_object("called_from", launch.called_from);
      json.attributeArray("assumptions", [&] {
        for (const Assumption &assumption : launch.assumptions)
          json.value(utf8(assumption.text));
      });
      json.attributeArray("not_known", [&] {
        for (const std::string &part : launch.not_known)
          json.value(utf8(part));
      });
      json.attribute("consistent", launch.consistent);
      json.attributeArray("chosen", [&] {
        for (const ChosenQuantity &quantity : launch.chosen)
          json.object([&] {
            json.attribute("name", utf8(quantity.name));
            json.attribute("value", quantity.value);
            json.attribute("origin", utf8(quantity.origin));
          });
      });
      json.attributeArray("expressions", [&] {
        for (const LaunchExpression &expression : launch.expressions)
          json.object([&] {
            json.attribute("part", utf8(expression.part));
            json.attribute("text", utf8(expression.text));
          });
      });
    });
    json.attributeArray("symbols", [&] {
      for (const LaunchSymbol &symbol : analysis.symbols)
        json.object([&] {
          json.attribute("name", utf8(symbol.name));
          text_or_null("facts", symbol.facts);
          json.attribute("most", symbol.most ? llvm::json::Value(*symbol.most) : llvm::json::Value(nullptr));
        });
    });
    json.attributeArray("sites", [&] {
      for (const SiteRow &row : site_rows(program, analysis.result, patterns_of(file, analysis.program)))
        write_site(row, analysis.launch, addresses_of(file, program, row));
    });
    write_compiled(file, program, analysis);
    if (analysis.races)
      write_races("races", *analysis.races), write_barriers(*analysis.races, analysis);
    if (analysis.global_races)
      write_races("global_races", *analysis.global_races);
    json.attributeArray("problems", [&] {
      for (const Problem &problem : analysis.result.problems)
        json.object([&] {
          json.attribute("kind", std::string(problem_kind(problem.kind)));
          place(problem.location);
          json.attribute("message", utf8(problem.message));
        });
    });
  });
}

void JsonWriter::write_compiled(const FileAnalysis &file, const Program &program, const LaunchAnalysis &launch) {
  const auto known = file.compiled.kernels.find(program.mangled);
  if (known == file.compiled.kernels.end())
    return;
  const CompiledKernel &kernel = known->second;
  const auto number = [&](const char *name, const std::optional<std::uint32_t> &value) {
    json.attribute(name, value ? llvm::json::Value(*value) : llvm::json::Value(nullptr));
  };
  json.attributeObject("compiled", [&] {
    number("registers", kernel.registers);
    number("stack_bytes", kernel.stack_bytes);
    number("shared_bytes", kernel.shared_bytes);
    json.attribute("local_load_instructions", kernel.local_loads);
    json.attribute("local_store_instructions", kernel.local_stores);
    if (launch.local) {
      json.attribute("local_load_requests", launch.local->load_requests);
      json.attribute("local_store_requests", launch.local->store_requests);
      json.attribute("local_verdict", launch.local->exact ? "exact" : "unknown");
    }
  });
}

void JsonWriter::racing(const RacingAccess &access) {
  json.object([&] {
    place(access.location);
    text_or_null("expression", access.expression);
    json.attribute("operation", access.asynchronous ? "async_copy"
                                : access.atomic     ? "atomic"
                                : access.writes     ? "store"
                                                    : "load");
    dim("thread", access.thread);
  });
}

void JsonWriter::racing(const RaceWitness &witness) {
  json.object([&] {
    json.attribute("kind", witness.between_blocks ? "between_blocks"
                           : witness.within_warp  ? "within_warp"
                                                  : "between_warps");
    dim("block", witness.block);
    dim("second_block", witness.second_block);
    text_or_null("array", witness.array);
    json.attribute("byte", static_cast<std::int64_t>(witness.array.empty() ? witness.byte : witness.array_byte));
    json.attribute("barriers_passed", witness.interval);
    place_object("last_barrier", witness.interval_begin);
    place_object("next_barrier", witness.interval_end);
    json.attributeArray("accesses", [&] {
      racing(witness.first);
      racing(witness.second);
    });
    json.attributeArray("edits", [&] {
      for (const BarrierEdit &edit : witness.edits)
        json.object([&] {
          json.attribute("insert", edit.of_warp ? "__syncwarp();" : "__syncthreads();");
          json.attribute("where", edit.ends_loop ? "end_of_loop" : "before");
          json.attribute("in_braces", edit.in_braces);
          place_object("line", edit.line);
        });
    });
  });
}

void JsonWriter::write_races(llvm::StringRef name, const Races &races) {
  json.attributeObject(name, [&] {
    json.attribute("verdict", std::string(to_string(races.verdict())));
    json.attribute("between_warps", std::string(to_string(races.between_warps)));
    json.attribute("within_warp", std::string(to_string(races.within_warp)));
    json.attribute("between_blocks", std::string(to_string(races.between_blocks)));
    json.attribute("holds", races.assumed ? "assumed" : races.always ? "always" : "launch");
    if (races.assumed)
      json.attributeArray("assumptions", [&] {
        for (const Assumption &assumption : races.assumptions)
          json.value(utf8(assumption.text));
      });
    text_or_null("reason", races.reason);
    place_object("reason_location", races.reason_location);
    json.attributeArray("free_blocks", [&] {
      for (const Dim3 &block : races.free_blocks)
        json.array([&] {
          json.value(block.x);
          json.value(block.y);
          json.value(block.z);
        });
    });
    json.attributeArray("witnesses", [&] {
      for (const RaceWitness &witness : races.witnesses)
        racing(witness);
    });
    json.attributeArray("same_value_writes", [&] {
      for (const RaceWitness &witness : races.same_value)
        racing(witness);
    });
    json.attributeArray("redundant_barriers", [&] {
      for (const SourceLocation &barrier : races.redundant)
        json.object([&] { place(barrier); });
    });
    json.attributeArray("unwritten_reads", [&] {
      for (const UnwrittenRead &read : races.unwritten)
        json.object([&] {
          dim("block", read.block);
          text_or_null("array", read.array);
          json.attribute("byte", read.array.empty() ? read.byte : read.array_byte);
          json.attributeArray("accesses", [&] { racing(read.access); });
        });
    });
  });
}

void JsonWriter::write_barriers(const Races &races, const LaunchAnalysis &analysis) {
  std::vector<const Problem *> witnesses;
  const auto add = [&](const Problem &problem) {
    if (std::ranges::none_of(witnesses, [&](const Problem *known) { return known->location == problem.location; }))
      witnesses.push_back(&problem);
  };
  for (const Problem &problem : analysis.result.problems)
    if (problem.kind == Problem::Kind::DivergentBarrier)
      add(problem);
  // Values that memory was assumed to hold (RaceOptions::assume) show races, and nothing of barriers.
  const bool assumed =
      !analysis.launch.assumptions.empty() && ((races.barriers.empty() && !witnesses.empty()) || races.assumed);
  std::ranges::for_each(races.barriers, add);
  const bool divergent = !witnesses.empty(), excused = !races.excusing.empty(),
             known =
                 divergent || races.barriers_by_all || (races.verdict() == RaceVerdict::Free && !races.barriers_open);
  json.attributeObject("barriers", [&] {
    json.attribute("verdict", divergent ? "divergent" : !known ? "unknown" : excused ? "excused" : "uniform");
    json.attribute("holds", !divergent && races.barriers_by_all            ? "always"
                            : assumed                                      ? "assumed"
                            : known && races.barriers_always && !divergent ? "always"
                                                                           : "launch");
    text_or_null("reason", known ? ""
                           : races.verdict() == RaceVerdict::Race && !races.assumed
                               ? "threads race, which may decide what comes to a barrier"
                           : races.reason.empty() ? races.barriers_reason
                                                  : races.reason);
    json.attributeArray("witnesses", [&] {
      for (const Problem *problem : witnesses)
        json.object([&] {
          place(problem->location);
          json.attribute("message", utf8(problem->message));
        });
    });
    json.attributeArray("excused", [&] {
      for (const SourceLocation &barrier : races.excusing)
        json.object([&] { place(barrier); });
    });
  });
}

std::string_view JsonWriter::problem_kind(Problem::Kind kind) {
  switch (kind) {
  case Problem::Kind::OutOfBounds: return "out_of_bounds";
  case Problem::Kind::Misaligned: return "misaligned";
  case Problem::Kind::DivisionByZero: return "division_by_zero";
  case Problem::Kind::DivergentBarrier: return "divergent_barrier";
  case Problem::Kind::SharedCapacity: return "shared_capacity";
  case Problem::Kind::LaunchLimit: return "launch_limit";
  case Problem::Kind::Budget: return "budget";
  case Problem::Kind::UnboundedLoop: return "unbounded_loop";
  }
  return "other";
}

void JsonWriter::write_floor(const FileAnalysis &file, const LaunchAnalysis &analysis) {
  const std::optional<LaunchFloor> launch = launch_floor(file, analysis, report.gpu);
  if (!launch) {
    json.attribute("floor", nullptr);
    return;
  }
  const Floor &floor = launch->floor;
  json.attributeObject("floor", [&] {
    json.attribute("gpu", utf8(launch->gpu->name));
    json.attribute("ns", floor.ns);
    json.attribute("binding", std::string(metric_name(floor.binding)));
    const std::optional<bool> bound = launch->bound();
    json.attribute("bound_by_throughput", bound ? llvm::json::Value(*bound) : llvm::json::Value(nullptr));
    json.attribute("at_least", floor.at_least);
    json.attribute("assumed", floor.assumed || launch->assumed_launch);
    json.attributeArray("resources", [&] {
      for (const ResourceFloor &one : floor.resources)
        json.object([&] {
          json.attribute("resource", std::string(metric_name(one.resource)));
          json.attribute("cycles", one.cycles);
          json.attribute("ns", one.ns);
        });
    });
    const Residency &residency = launch->residency;
    json.attribute("blocks_of_busiest_sm", residency.blocks_of_busiest);
    json.attribute("warps_per_sm", residency.warps_at_once);
    json.attribute("blocks_per_sm", residency.occupancy.blocks_per_sm);
    json.attribute("blocks_per_sm_limit", std::string(to_string(residency.occupancy.limit)));
    json.attributeObject("arithmetic", [&] {
      json.attribute("fp32", launch->work.arithmetic.fp32);
      json.attribute("fp64", launch->work.arithmetic.fp64);
      json.attribute("special", launch->work.arithmetic.special);
      json.attribute("integer", launch->work.arithmetic.integer);
      json.attribute("multiply", launch->work.arithmetic.multiply);
      json.attribute("instructions", launch->work.arithmetic.instructions);
      json.attribute("tensor_products", launch->work.arithmetic.tensor);
      json.attribute("shuffles", launch->work.arithmetic.shuffles);
    });
    const Intensity intensity = intensity_of(launch->work);
    json.attributeObject("operations_per_byte", [&] {
      json.attribute("global",
                     intensity.of_global ? llvm::json::Value(*intensity.of_global) : llvm::json::Value(nullptr));
      json.attribute("shared",
                     intensity.of_shared ? llvm::json::Value(*intensity.of_shared) : llvm::json::Value(nullptr));
    });
    json.attributeArray("reads", [&] {
      for (const ArrayReads &reads : analysis.result.least.reads)
        json.object([&] {
          json.attribute("array", utf8(array_name(file.programs[analysis.program], reads)));
          json.attribute("requested_bytes", reads.requested_bytes);
          json.attribute("least_bytes", reads.least_bytes);
          json.attribute("block_bytes",
                         reads.block_bytes != 0 ? llvm::json::Value(reads.block_bytes) : llvm::json::Value(nullptr));
        });
    });
  });
}

void JsonWriter::write_argument(const Program &program, const ArgumentValue &argument) {
  json.object([&] {
    std::string name, type;
    if (argument.index < program.parameters.size()) {
      const Parameter &parameter = program.parameters[argument.index];
      const auto member = std::ranges::find(parameter.members, argument.offset, &ParameterMember::offset);
      const bool is_member = member != parameter.members.end();
      name = is_member ? member->name : parameter.name;
      type = is_member ? member->type : parameter.type;
    }
    text_or_null("name", name);
    text_or_null("type", type);
    json.attribute("index", argument.index);
    json.attribute("offset", argument.offset);
    json.attribute("width_bits", argument.width_bits);
    json.attribute("pointer", argument.pointer);
    json.attribute("value", argument.value ? llvm::json::Value(*argument.value) : llvm::json::Value(nullptr));
    if (argument.pointer)
      json.attribute("alignment", argument.alignment);
    json.attribute("provenance", std::string(identifier(argument.provenance)));
  });
}

void JsonWriter::write_symbolic(const SymbolicCounts &any) {
  text_or_null("reason", any.reason);
  place_object("reason_location", any.reason_location);
  const auto span = [&](const char *key, const Span &value) {
    write_span(key, any.known() ? std::optional(value) : std::nullopt);
  };
  span("conflict_degree", any.conflict_degree);
  span("wavefronts_per_request", any.wavefronts);
  span("sectors_per_request", any.sectors);
  const auto formula = [&](const char *key, const Formula &value) {
    json.attribute(key, any.known() ? llvm::json::Value(utf8(to_string(value))) : llvm::json::Value(nullptr));
  };
  formula("requests", any.requests_formula);
  formula("wavefronts", any.wavefronts_formula);
  formula("ideal_wavefronts", any.ideal_wavefronts_formula);
  formula("sectors", any.sectors_formula);
  formula("ideal_sectors", any.ideal_sectors_formula);
  formula("tags", any.tags_formula);
}

} // namespace smem
