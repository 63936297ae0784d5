// The machine-readable report. Additive within a major version of the schema: fields may be added, never changed.
#include "report/claim.h"
#include "report/launch_floor.h"
#include "report/machine_text.h"
#include "report/report.h"
#include "report/statistics.h"
#include "sinks/escape.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace smem {
namespace {

using llvm::json::OStream;

constexpr const char *kSchemaVersion = "1.14";

/// To what is the same on every machine: the last digits of a sum of powers are not.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

class Writer {
public:
  Writer(OStream &json, const Report &report) : json(json), report(report) {}

  void write() {
    json.object([&] {
      json.attribute("schema_version", kSchemaVersion);
      json.attributeObject("tool", [&] {
        json.attribute("name", "smem-lint");
        json.attribute("version", report.tool_version);
      });
      const std::string architectures = architectures_text(report.files);
      const bool one = !architectures.empty() && architectures.find(',') == std::string::npos;
      json.attribute("arch", one ? llvm::json::Value(architectures) : nullptr);
      json.attributeArray("files", [&] {
        for (const FileAnalysis &file : report.files)
          write_file(file);
      });
      json.attributeArray("sources", [&] { write_sources(); });
      json.attributeArray("launches", [&] {
        for (const FileAnalysis &file : report.files) {
          first_launch.push_back(launches);
          launches += file.launches.size();
          for (const LaunchAnalysis &launch : file.launches)
            write_launch(file, launch);
        }
      });
      json.attributeArray("findings", [&] {
        for (const Finding &finding : report.findings)
          write_finding(finding);
        for (const Finding &finding : report.known)
          write_finding(finding);
      });
      json.attributeArray("diagnostics", [&] {
        for (const FileAnalysis &file : report.files)
          for (const Diagnostic &diagnostic : file.diagnostics)
            write_diagnostic(diagnostic);
        for (const Diagnostic &diagnostic : report.diagnostics)
          write_diagnostic(diagnostic);
      });
      const Tally count = tally(report);
      json.attributeObject("summary", [&] {
        json.attribute("exact", static_cast<std::uint64_t>(count.exact));
        json.attribute("assumed", static_cast<std::uint64_t>(count.assumed));
        json.attribute("unknown", static_cast<std::uint64_t>(count.unknown));
        json.attribute("errors", static_cast<std::uint64_t>(count.errors));
        json.attribute("warnings", static_cast<std::uint64_t>(count.warnings));
        json.attribute("notes", static_cast<std::uint64_t>(count.notes));
      });
      if (report.statistics)
        write_statistics(statistics(report));
    });
  }

private:
  void write_statistics(const Statistics &all) {
    const auto list = [&](const char *key, const char *name, const std::vector<FindingCounts> &counts) {
      json.attributeArray(key, [&] {
        for (const FindingCounts &one : counts)
          json.object([&] {
            json.attribute(name, utf8(one.name));
            if (&counts == &all.kernels)
              place(one.location);
            json.attribute("errors", static_cast<std::uint64_t>(one.errors));
            json.attribute("warnings", static_cast<std::uint64_t>(one.warnings));
            json.attribute("notes", static_cast<std::uint64_t>(one.notes));
          });
      });
    };
    json.attributeObject("statistics", [&] {
      list("rules", "rule", all.rules);
      list("files", "file", all.files);
      list("kernels", "kernel", all.kernels);
    });
  }

  void write_diagnostic(const Diagnostic &diagnostic) {
    json.object([&] {
      json.attribute("severity", std::string(to_string(diagnostic.severity)));
      place(diagnostic.location);
      json.attribute("message", utf8(diagnostic.message));
      json.attribute("incomplete", diagnostic.incomplete);
    });
  }

  /// file, line, column of the object that is open; null where not known.
  void place(const SourceLocation &location) {
    text_or_null("file", location.file);
    number_or_null("line", location.line);
    number_or_null("column", location.column);
  }

  void place_object(const char *key, const SourceLocation &location) {
    if (!location.known())
      json.attribute(key, nullptr);
    else
      json.attributeObject(key, [&] { place(location); });
  }

  void text_or_null(const char *key, const std::string &text) {
    json.attribute(key, text.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(utf8(text)));
  }

  void number_or_null(const char *key, unsigned number) {
    json.attribute(key, number == 0 ? llvm::json::Value(nullptr) : llvm::json::Value(number));
  }

  static llvm::json::Value value_or_null(const std::optional<std::uint64_t> &value) {
    return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
  }

  void dim(const char *key, const Dim3 &value) {
    json.attributeArray(key, [&] {
      json.value(value.x);
      json.value(value.y);
      json.value(value.z);
    });
  }

  /// Identifiers of the schema; the words that people read may change.
  static std::string_view identifier(Provenance provenance) {
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

  void architecture(const FileAnalysis &file) {
    json.attribute("arch", file.architecture ? llvm::json::Value(std::string(file.architecture->name)) : nullptr);
  }

  void write_file(const FileAnalysis &file) {
    json.object([&] {
      json.attribute("file", utf8(file.file));
      json.attribute("parsed", file.parsed);
      architecture(file);
      json.attribute("kernels", static_cast<std::uint64_t>(file.programs.size()));
      json.attributeObject("headers", [&] {
        json.attribute("source", file.toolkit.shipped ? "shipped" : "toolkit");
        text_or_null("version", file.toolkit.version);
      });
      if (!file.machine_code.empty())
        json.attribute("machine_code", utf8(file.machine_code));
      if (!file.compiled.unavailable.empty())
        json.attribute("not_as_compiled", utf8(file.compiled.unavailable));
      if (const CompiledUse &use = file.compiled; !use.from.empty())
        json.attributeObject("as_compiled", [&] {
          json.attribute("from", utf8(use.from));
          json.attribute("confirmed", static_cast<std::uint64_t>(use.confirmed));
          json.attribute("corrected", static_cast<std::uint64_t>(use.corrected));
          json.attribute("absent", static_cast<std::uint64_t>(use.absent));
          json.attribute("open", static_cast<std::uint64_t>(use.open));
        });
    });
  }

  static std::string_view identifier(Agreement compared) {
    switch (compared) {
    case Agreement::NotCompared: return "open";
    case Agreement::Confirmed: return "confirmed";
    case Agreement::Corrected: return "corrected";
    case Agreement::Added: return "added";
    case Agreement::Absent: return "absent";
    }
    return "open";
  }

  /// Headers that several files share once.
  void write_sources() {
    std::map<std::string, const SourceVersion *> versions;
    for (const FileAnalysis &file : report.files)
      for (const SourceVersion &source : file.sources)
        versions.emplace(source.file, &source);
    for (const auto &[file, source] : versions)
      json.object([&, &file = file, &source = source] {
        json.attribute("file", utf8(file));
        json.attribute("sha256", source->sha256);
        if (source->system)
          json.attribute("system", true);
      });
  }

  void write_launch(const FileAnalysis &file, const LaunchAnalysis &analysis) {
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

  void write_compiled(const FileAnalysis &file, const Program &program, const LaunchAnalysis &launch) {
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

  void racing(const RacingAccess &access) {
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

  void racing(const RaceWitness &witness) {
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
            place_object("line", edit.line);
          });
      });
    });
  }

  void write_races(llvm::StringRef name, const Races &races) {
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

  /// Whether all threads come to every barrier: what looks for races and what counts have both executed the launch.
  void write_barriers(const Races &races, const LaunchAnalysis &analysis) {
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
    const bool divergent = !witnesses.empty(),
               known = divergent || (races.verdict() == RaceVerdict::Free && !races.barriers_open);
    json.attributeObject("barriers", [&] {
      json.attribute("verdict", divergent ? "divergent" : known ? "uniform" : "unknown");
      json.attribute("holds", assumed ? "assumed" : races.always && !divergent ? "always" : "launch");
      text_or_null("reason", known ? ""
                             : races.verdict() == RaceVerdict::Race && !races.assumed
                                 ? "threads race, which may decide what comes to a barrier"
                                 : races.reason);
      json.attributeArray("witnesses", [&] {
        for (const Problem *problem : witnesses)
          json.object([&] {
            place(problem->location);
            json.attribute("message", utf8(problem->message));
          });
      });
    });
  }

  static std::string_view problem_kind(Problem::Kind kind) {
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

  void write_floor(const FileAnalysis &file, const LaunchAnalysis &analysis) {
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

  /// What the finding is worth in the launch that it is shown of.
  void write_worth(const Finding &finding) {
    std::optional<LaunchFloor> launch;
    if (finding.launch != Finding::kNoIndex && avoidable_work(finding) != UnitWork())
      launch =
          launch_floor(report.files[finding.file], report.files[finding.file].launches[finding.launch], report.gpu);
    if (!launch) {
      json.attribute("floor", nullptr);
      return;
    }
    const Finding *const one = &finding;
    const Floor left = floor_without(*launch, std::span(&one, 1));
    json.attributeObject("floor", [&] {
      json.attribute("gpu", utf8(launch->gpu->name));
      json.attribute("ns", launch->floor.ns);
      json.attribute("ns_without", left.ns);
      json.attribute("binding", std::string(metric_name(launch->floor.binding)));
      json.attribute("binding_without", std::string(metric_name(left.binding)));
      const std::optional<double> most = finding.worth ? finding.worth->most_gain : std::nullopt;
      json.attribute("gain_at_most", most ? llvm::json::Value(*most) : llvm::json::Value(nullptr));
    });
  }

  void write_argument(const Program &program, const ArgumentValue &argument) {
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

  /// Of the instructions of a row of machine code; empty of a source's.
  static std::set<std::uint64_t> addresses_of(const FileAnalysis &file, const Program &program, const SiteRow &row) {
    std::set<std::uint64_t> addresses;
    if (const auto known = file.addresses.find(program.mangled); known != file.addresses.end())
      for (const SiteId id : row.ids)
        if (id < known->second.size())
          addresses.insert(known->second[id].begin(), known->second[id].end());
    return addresses;
  }

  void write_site(const SiteRow &row, const Launch &launch, const std::set<std::uint64_t> &addresses) {
    const Site &site = *row.site;
    json.object([&] {
      place(site.location);
      json.attributeArray("inlined_at", [&] {
        for (const InlineFrame &frame : site.inlined_at)
          json.object([&] {
            json.attribute("function", utf8(frame.function));
            place(frame.call);
          });
      });
      json.attribute("space", std::string(to_string(row.space)));
      json.attribute("operation", std::string(to_string(site.access.operation)));
      json.attribute("width_bits", site.access.width_bits);
      json.attribute("instructions", static_cast<std::uint64_t>(row.ids.size()));
      if (!addresses.empty())
        json.attributeArray("pcs", [&] {
          for (const std::uint64_t address : addresses)
            json.value(address);
        });
      text_or_null("expression", site.expression);
      text_or_null("address", site.address);
      text_or_null("array", site.array);
      place_object("array_location", site.array_location);
      json.attribute("verdict", std::string(to_string(row.verdict)));
      text_or_null("reason", row.reason);
      place_object("reason_location", row.reason_location);
      if (!row.uncertainties.empty())
        json.attributeArray("uncertainties", [&] {
          for (const std::string &id : row.uncertainties)
            json.value(id);
        });
      if (!row.established.empty())
        json.attributeArray("established", [&] {
          for (const std::string &id : row.established)
            json.value(id);
        });
      if (row.site->compared != Agreement::NotCompared)
        json.attribute("compiled", std::string(identifier(row.site->compared)));
      if (!row.note.empty())
        json.attribute("note", utf8(row.note));
      const Figures all = figures(row);
      for (const auto &[key, member] : kFigures)
        json.attribute(key, value_or_null((all.*member).known()));
      const bool bounds = std::any_of(kFigures.begin(), kFigures.end(), [&](const auto &each) {
        return (all.*each.second).at_least && (all.*each.second).value;
      });
      if (bounds)
        json.attributeObject("at_least", [&] {
          for (const auto &[key, member] : kFigures)
            json.attribute(key, value_or_null((all.*member).value));
        });
      else
        json.attribute("at_least", nullptr);
      if (row.sector_use)
        json.attributeObject("sector_use", [&] {
          json.attribute("sectors", row.sector_use->sectors);
          json.attribute("own_bytes", row.sector_use->own_bytes);
          json.attribute("bytes", row.sector_use->bytes);
        });
      if (row.data)
        json.attributeObject("data_dependence", [&] { write_data(row, *row.data); });
      else
        json.attribute("data_dependence", nullptr);
      if (row.symbolic)
        json.attributeObject("symbolic", [&] { write_symbolic(*row.symbolic); });
      else
        json.attribute("symbolic", nullptr);
      if (row.pattern)
        json.attributeObject("pattern", [&] { write_pattern(row, *row.pattern, launch); });
      else
        json.attribute("pattern", nullptr);
    });
  }

  void write_pattern(const SiteRow &row, const Pattern &pattern, const Launch &launch) {
    json.attribute("verdict", std::string(to_string(pattern.verdict)));
    json.attributeArray("cases", [&] {
      for (const PatternCase &one : pattern.cases) {
        if (!admitted(one, launch))
          continue;
        json.object([&] {
          const auto figure = [&](const char *key, bool wanted, std::uint32_t value) {
            json.attribute(key, wanted ? llvm::json::Value(value) : llvm::json::Value(nullptr));
          };
          text_or_null("when", to_string(one.when));
          json.attribute("at_most", one.at_most);
          figure("wavefronts", row.moves_shared, one.wavefronts);
          figure("ideal_wavefronts", row.moves_shared, one.ideal_wavefronts);
          figure("conflict_degree", row.moves_shared, one.conflict_degree);
          figure("sectors", row.moves_global, one.sectors);
          figure("ideal_sectors", row.moves_global, one.ideal_sectors);
        });
      }
    });
    text_or_null("text", pattern_words(row, launch));
    text_or_null("reason", pattern.reason);
    place_object("reason_location", pattern.reason_location);
  }

  void write_span(const char *key, const std::optional<Span> &value) {
    if (!value)
      json.attribute(key, nullptr);
    else
      json.attributeArray(key, [&] {
        json.value(value->least);
        json.value(value->most);
      });
  }

  void write_data(const SiteRow &row, const DataDependence &data) {
    const auto mean = [&](const char *key, bool wanted, const std::optional<double> &value) {
      json.attribute(key, wanted && value ? llvm::json::Value(rounded(*value)) : llvm::json::Value(nullptr));
    };
    const auto span = [&](const char *key, bool wanted, const Span &value) {
      write_span(key, wanted ? std::optional(value) : std::nullopt);
    };
    text_or_null("range", data.range);
    json.attribute("requests", data.requests);
    span("conflict_degree", row.moves_shared, data.conflict_degree);
    span("wavefronts_per_request", row.moves_shared, data.wavefronts);
    span("sectors_per_request", row.moves_global, data.sectors);
    mean("expected_conflict_degree", row.moves_shared, data.expected_degree);
    mean("expected_wavefronts_per_request", row.moves_shared, data.expected_wavefronts);
    mean("expected_sectors_per_request", row.moves_global, data.expected_sectors);
  }

  void write_symbolic(const SymbolicCounts &any) {
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

  void write_finding(const Finding &finding) {
    json.object([&] {
      json.attribute("rule", std::string(finding.rule->id));
      json.attribute("severity", std::string(to_string(finding.severity)));
      place(finding.location);
      json.attribute("message", utf8(finding.message));
      text_or_null("cost", finding.cost);
      text_or_null("cause", finding.cause);
      text_or_null("hint", finding.hint);
      json.attribute("kernel", finding.program == Finding::kNoIndex
                                   ? std::string()
                                   : utf8(report.files[finding.file].programs[finding.program].kernel));
      json.attribute("launches", static_cast<std::uint64_t>(finding.launches));
      json.attribute("verdict", std::string(to_string(finding.verdict)));
      json.attribute("reach", std::string(to_string(finding.reach)));
      json.attribute("excess", finding.excess());
      json.attribute("share", finding.avoidable());
      write_traffic(finding.traffic);
      write_worth(finding);
      const bool analysed = finding.program != Finding::kNoIndex;
      json.attribute("arch", analysed ? llvm::json::Value(std::string(report.files[finding.file].architecture->name))
                                      : nullptr);
      text_or_null("extent", finding.extent);
      json.attributeArray("instances", [&] {
        for (const Instance &instance : finding.instances)
          json.object([&] { write_instance(instance); });
      });
      json.attributeArray("fingerprints", [&] {
        for (const std::string &fingerprint : finding.fingerprints)
          json.value(fingerprint);
      });
      text_or_null("baseline", std::string(to_string(finding.baseline)));
      json.attributeArray("fixes", [&] {
        for (const Fix &fix : finding.fixes)
          write_fix(fix);
      });
    });
  }

  void write_instance(const Instance &instance) {
    const FileAnalysis &file = report.files[instance.file];
    json.attribute("launch", static_cast<std::uint64_t>(first_launch[instance.file] + instance.launch));
    json.attribute("kernel", utf8(file.programs[instance.program].kernel));
    json.attribute("severity", std::string(to_string(instance.severity)));
    json.attribute("verdict", std::string(to_string(instance.verdict)));
    json.attribute("reach", std::string(to_string(instance.reach)));
    write_traffic(instance.traffic);
  }

  void write_traffic(const std::optional<Traffic> &traffic) {
    if (!traffic) {
      json.attribute("traffic", nullptr);
      return;
    }
    json.attributeObject("traffic", [&] {
      json.attribute("unit", std::string(to_string(traffic->unit)));
      json.attribute("requests", traffic->requests);
      json.attribute("actual", traffic->actual);
      json.attribute("ideal", traffic->ideal);
      json.attribute("at_least", traffic->at_least);
      json.attribute("kernel", traffic->kernel);
      json.attribute("kernel_at_least", traffic->kernel_at_least);
      json.attribute("share_of_kernel", traffic->share());
      json.attribute("avoidable_share_of_kernel", traffic->avoidable());
    });
  }

  static std::string_view identifier(Fix::Kind kind) {
    switch (kind) {
    case Fix::Kind::Padding: return "padding";
    case Fix::Kind::Swizzle: return "swizzle";
    case Fix::Kind::TransposedStore: return "transposed_store";
    case Fix::Kind::VectorWidth: return "vector_width";
    }
    return "padding";
  }

  void write_fix(const Fix &fix) {
    json.object([&] {
      json.attribute("kind", std::string(identifier(fix.kind)));
      json.attribute("title", utf8(fix.title));
      json.attributeArray("edits", [&] {
        for (const Edit &edit : fix.edits)
          json.object([&] {
            json.attribute("file", utf8(edit.file));
            json.attribute("offset", edit.offset);
            json.attribute("length", edit.length);
            json.attribute("replacement", utf8(edit.replacement));
          });
      });
      text_or_null("not_written", fix.not_written);
      json.attribute("verdict", std::string(to_string(fix.verdict)));
      json.attribute("wavefronts_before", fix.before.wavefronts);
      json.attribute("wavefronts_after", fix.after.wavefronts);
      json.attribute("ideal_wavefronts_after", fix.after.ideal_wavefronts);
      json.attribute("shared_bytes_before", fix.shared_bytes_before);
      json.attribute("shared_bytes_after", fix.shared_bytes_after);
      const auto blocks = [&](const char *key, const std::optional<unsigned> &value) {
        json.attribute(key, value ? llvm::json::Value(*value) : llvm::json::Value(nullptr));
      };
      blocks("blocks_per_sm_before", fix.blocks_per_sm_before);
      blocks("blocks_per_sm_after", fix.blocks_per_sm_after);
    });
  }

  OStream &json;
  const Report &report;
  std::vector<std::size_t> first_launch; ///< of each file, among all
  std::size_t launches = 0;
};

} // namespace

std::string json_report(const Report &report) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  OStream json(stream, 2);
  Writer(json, report).write();
  stream << '\n';
  return sinks::json(out);
}

} // namespace smem
