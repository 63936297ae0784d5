#include "report/json_writer.h"

#include "report/launch_floor.h"
#include "report/machine_text.h"

namespace smem {

void JsonWriter::write_worth(const Finding &finding) {
  std::optional<LaunchFloor> launch;
  if (finding.launch != Finding::kNoIndex && avoidable_work(finding) != UnitWork())
    launch = launch_floor(report.files[finding.file], report.files[finding.file].launches[finding.launch], report.gpu);
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

void JsonWriter::write_finding(const Finding &finding) {
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
    json.attribute("arch",
                   analysed ? llvm::json::Value(std::string(report.files[finding.file].architecture->name)) : nullptr);
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

void JsonWriter::write_instance(const Instance &instance) {
  const FileAnalysis &file = report.files[instance.file];
  json.attribute("launch", static_cast<std::uint64_t>(first_launch[instance.file] + instance.launch));
  json.attribute("kernel", utf8(file.programs[instance.program].kernel));
  json.attribute("severity", std::string(to_string(instance.severity)));
  json.attribute("verdict", std::string(to_string(instance.verdict)));
  json.attribute("reach", std::string(to_string(instance.reach)));
  write_traffic(instance.traffic);
}

void JsonWriter::write_traffic(const std::optional<Traffic> &traffic) {
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

std::string_view JsonWriter::identifier(Fix::Kind kind) {
  switch (kind) {
  case Fix::Kind::Padding: return "padding";
  case Fix::Kind::Swizzle: return "swizzle";
  case Fix::Kind::TransposedStore: return "transposed_store";
  case Fix::Kind::VectorWidth: return "vector_width";
  }
  return "padding";
}

void JsonWriter::write_fix(const Fix &fix) {
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

} // namespace smem
