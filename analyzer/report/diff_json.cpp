// docs/schema/smem-lint-diff-1.schema.json describes it.
#include "report/diff_report.h"
#include "report/machine_text.h"
#include "sinks/escape.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace smem {
namespace {

using llvm::json::OStream;

constexpr const char *kSchemaVersion = "1.1";

/// "not_known_any_more": as identifiers of JSON are.
std::string identifier(Change change) {
  std::string word(to_string(change));
  for (char &c : word)
    c = c == ' ' ? '_' : c;
  return word;
}

void write_counts(OStream &json, const char *key, const std::optional<Counts> &counts, bool at_least) {
  if (!counts)
    return json.attribute(key, nullptr);
  json.attributeObject(key, [&] {
    json.attribute("wavefronts", counts->wavefronts);
    json.attribute("ideal_wavefronts", counts->ideal_wavefronts);
    json.attribute("sectors", counts->sectors);
    json.attribute("ideal_sectors", counts->ideal_sectors);
    json.attribute("at_least", at_least);
  });
}

void write_metrics(OStream &json, const char *key, const SiteChange &site, const std::optional<Metrics> &metrics) {
  if (!metrics || !is_about_a_cost(*site.rule))
    return json.attribute(key, nullptr);
  json.attributeObject(key, [&] {
    json.attribute("conflict_degree", metrics->degree);
    json.attribute("wavefronts", metrics->wavefronts);
    json.attribute("ideal_wavefronts", metrics->ideal_wavefronts);
    json.attribute("sectors", metrics->sectors);
    json.attribute("ideal_sectors", metrics->ideal_sectors);
  });
}

void write_finding(OStream &json, const SiteChange &site, const Finding *now) {
  const auto number = [&](const char *key, unsigned value) {
    json.attribute(key, value != 0 ? llvm::json::Value(value) : nullptr);
  };
  json.object([&] {
    json.attribute("change", identifier(site.change));
    json.attribute("gates", site.gates);
    json.attribute("rule", std::string(site.rule->id));
    json.attribute("file", utf8(site.path));
    number("line", site.line);
    number("column", now ? now->location.column : 0);
    json.attribute("kernel", site.kernel.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(utf8(site.kernel)));
    json.attribute("expression",
                   site.expression.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(utf8(site.expression)));
    json.attribute("severity",
                   now ? llvm::json::Value(std::string(to_string(now->severity))) : llvm::json::Value(nullptr));
    json.attribute("message", now ? llvm::json::Value(utf8(now->message)) : llvm::json::Value(nullptr));
    write_metrics(json, "before", site, site.before);
    write_metrics(json, "after", site, site.after);
  });
}

} // namespace

std::string diff_json(const DiffReport &report, std::span<const Finding> now, const std::string &tool_version) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  OStream json(stream, 2);
  json.object([&] {
    json.attribute("schema_version", kSchemaVersion);
    json.attribute("kind", "smem-lint-diff");
    json.attributeObject("tool", [&] {
      json.attribute("name", "smem-lint");
      json.attribute("version", tool_version);
    });
    json.attribute("revision", utf8(report.revision));
    json.attribute("regression", report.regressed());
    json.attribute("files", static_cast<std::uint64_t>(report.files));
    json.attributeArray("findings", [&] {
      for (const SiteChange &site : report.sites)
        write_finding(json, site, site.finding ? &now[*site.finding] : nullptr);
    });
    json.attributeArray("kernels", [&] {
      for (const KernelChange &kernel : report.kernels)
        json.object([&] {
          json.attribute("change", identifier(kernel.change));
          json.attribute("kernel", utf8(kernel.kernel));
          json.attribute("file", utf8(kernel.path));
          write_counts(json, "before", kernel.before, kernel.before_bound);
          write_counts(json, "after", kernel.after, kernel.after_bound);
          if (!kernel.floor_before)
            return json.attribute("floor", nullptr);
          json.attributeObject("floor", [&] {
            json.attribute("ns_before", *kernel.floor_before);
            json.attribute("ns_after", *kernel.floor_after);
          });
        });
    });
    json.attribute("unchanged_kernels", static_cast<std::uint64_t>(report.unchanged_kernels));
    json.attributeObject("summary", [&] {
      for (const Change change : {Change::New, Change::Worse, Change::Better, Change::Gone, Change::Unknown})
        json.attribute(identifier(change), static_cast<std::uint64_t>(report.count(change)));
    });
  });
  stream << '\n';
  return sinks::json(out);
}

} // namespace smem
