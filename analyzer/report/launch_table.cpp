#include "report/launch_table.h"

#include "report/block_ranges.h"
#include "report/claim.h"
#include "report/figures.h"
#include "report/format.h"
#include "report/launch_floor.h"
#include "report/pattern_cases.h"
#include "sinks/escape.h"
#include "support/scalar_text.h"

#include <algorithm>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <cstdio>
#include <set>
#include <tuple>

namespace smem {
namespace {

using Align = Table::Align;

Style verdict_style(const SiteRow &row) {
  if (!row.executed && row.verdict != Verdict::Unknown)
    return Style::Dim;
  return row.verdict == Verdict::Exact     ? Style::Green
         : row.verdict == Verdict::Assumed ? Style::Yellow
                                           : Style::Magenta;
}

/// `14:23`, with the file's name if it is not the kernel's own.
std::string place(const Site &site, const Program &program) {
  if (!site.location.known())
    return site.location.file.empty() ? "?" : ""; // of machine code: the expression has the instruction's address
  std::string text = std::to_string(site.location.line);
  if (site.location.column != 0)
    text += ":" + std::to_string(site.location.column);
  if (site.location.file == program.location.file)
    return text;
  return site.location.file.substr(site.location.file.rfind('/') + 1) + ":" + text;
}

/// What the machine code has otherwise than the source model.
std::string_view compiled_note(Agreement compared) {
  switch (compared) {
  case Agreement::Corrected:
    return "as compiled: counts of the machine code, where the model of the source has other ones";
  case Agreement::Added:
    return "as compiled: counts of the machine code, where the model of the source has no such access";
  case Agreement::Absent: return "as compiled: the machine code has no such instruction at this source location";
  case Agreement::Confirmed:
  case Agreement::NotCompared: break;
  }
  return {};
}

/// ` (2)`, the number of `note` below the tables.
std::string footnote(const std::string &note, std::vector<std::string> &notes) {
  auto known = std::find(notes.begin(), notes.end(), note);
  if (known == notes.end())
    known = notes.insert(notes.end(), note);
  return " (" + std::to_string(known - notes.begin() + 1) + ")";
}

/// A reason with its place, unless the text has that already.
std::string placed(const std::string &reason, const SourceLocation &where) {
  const bool said = reason.find(to_string(where)) != std::string::npos ||
                    reason.find("line " + std::to_string(where.line)) != std::string::npos;
  return where.known() && !said ? " (" + to_string(where) + ")" : "";
}

/// The verdict of the counts; where they are unknown, what the pattern has of a request.
std::string verdict(const SiteRow &row, const Launch &launch, std::vector<std::string> &notes) {
  std::string text = !row.executed && row.verdict != Verdict::Unknown
                         ? (row.site->compared == Agreement::Absent ? "none" : "not reached")
                         : std::string(to_string(row.verdict));
  constexpr std::size_t kMost = 40;
  if (row.verdict == Verdict::Unknown && row.pattern && row.pattern->verdict != PatternVerdict::Data)
    if (const std::string words = pattern_words(row, launch); !words.empty() && words.size() <= kMost)
      text = words + ", how often " + text;
  const std::string_view compiled = compiled_note(row.site->compared);
  if (!row.note.empty() && row.verdict != Verdict::Unknown)
    text += footnote(row.note, notes);
  if (row.reason.empty() && compiled.empty())
    return text;
  const std::string ids = row.verdict == Verdict::Assumed && !row.uncertainties.empty()
                              ? " [" + llvm::join(row.uncertainties, ", ") + "]"
                              : std::string();
  std::string note =
      row.reason.empty() ? std::string(compiled) : std::string(to_string(row.verdict)) + ": " + row.reason;
  if (!row.reason.empty() && !compiled.empty())
    note += "; " + std::string(compiled);
  note += placed(row.reason, row.reason_location) + ids;
  return text + footnote(note, notes);
}

/// Sums over the rows; lower bounds where one of them is not known.
void total_row(Table &table, const std::vector<SiteRow> &rows, Space space) {
  const bool shared = space == Space::Shared;
  if (std::count_if(rows.begin(), rows.end(),
                    [&](const SiteRow &row) { return shared ? row.moves_shared : row.moves_global; }) < 2)
    return;
  const Figures sum = total_figures(rows, space);
  if (shared)
    table.row({{""},
               {"total", Style::Dim},
               {""},
               {to_string(sum.requests)},
               {to_string(sum.wavefronts)},
               {to_string(sum.ideal_wavefronts)},
               {ratio(sum.wavefronts, sum.ideal_wavefronts)}});
  else
    table.row({{""},
               {"total", Style::Dim},
               {""},
               {to_string(sum.requests)},
               {to_string(sum.sectors)},
               {to_string(sum.ideal_sectors)},
               {to_string(sum.tags)},
               {ratio(sum.sectors, sum.ideal_sectors)}});
}

/// `8-way`, `>=8-way`; "-" without a conflict.
std::string conflict_text(const Figure &degree, bool conflict) {
  if (!degree.known())
    return degree.value.value_or(0) > 1 ? to_string(degree) + "-way" : "?";
  return conflict && *degree.value > 1 ? to_string(degree) + "-way" : "-";
}

constexpr std::size_t kTableWidth = 120;
constexpr std::size_t kWidestExpression = 64, kNarrowestExpression = 24;

/// What is accessed; where several rows would read the same, also the call that each was inlined at.
std::string expression(const SiteRow &row, const std::vector<SiteRow> &rows, std::size_t width) {
  const Site &site = *row.site;
  std::string call;
  const bool ambiguous = std::any_of(rows.begin(), rows.end(), [&](const SiteRow &other) {
    return &other != &row && other.site->location == site.location && other.site->expression == site.expression &&
           other.site->inlined_at != site.inlined_at;
  });
  if (ambiguous && !site.inlined_at.empty())
    call = " from " + std::to_string(site.inlined_at.front().call.line);
  return shorten(!site.expression.empty() ? site.expression
                 : site.array.empty()     ? "-"
                                          : site.array,
                 width - call.size()) +
         call;
}

std::size_t widest_line(const std::string &text) {
  std::size_t widest = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    widest = std::max(widest, end - start);
    start = end + 1;
  }
  return widest;
}

Table shared_table(const std::vector<SiteRow> &rows, const Program &program, const Launch &launch,
                   std::vector<std::string> &notes, std::size_t width) {
  Table table(
      {Align::Right, Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
  table.row({{""},
             {"shared memory", Style::Bold},
             {""},
             {"requests", Style::Dim},
             {"wavefronts", Style::Dim},
             {"ideal", Style::Dim},
             {"conflict", Style::Dim},
             {"verdict", Style::Dim}});
  for (const SiteRow &row : rows) {
    if (!row.moves_shared)
      continue;
    const bool conflict = row.excess_wavefronts() > 0;
    const Figures figure = figures(row);
    table.row({{place(*row.site, program), Style::Dim},
               {expression(row, rows, width)},
               {describe_operation(row.site->access), Style::Dim},
               {to_string(figure.requests)},
               {to_string(figure.wavefronts), conflict ? Style::BoldRed : Style::Plain},
               {to_string(figure.ideal_wavefronts)},
               {row.counts.serial_wavefronts > 0 ? to_string(figure.conflict_degree) + " lanes"
                                                 : conflict_text(figure.conflict_degree, conflict),
                conflict ? Style::BoldRed : Style::Plain},
               {verdict(row, launch, notes), verdict_style(row)}});
  }
  total_row(table, rows, Space::Shared);
  return table;
}

Table global_table(const std::vector<SiteRow> &rows, const Program &program, const Launch &launch,
                   std::vector<std::string> &notes, std::size_t width) {
  Table table({Align::Right, Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
               Align::Right, Align::Left});
  table.row({{""},
             {"global memory", Style::Bold},
             {""},
             {"requests", Style::Dim},
             {"sectors", Style::Dim},
             {"ideal", Style::Dim},
             {"tags", Style::Dim},
             {"ratio", Style::Dim},
             {"verdict", Style::Dim}});
  for (const SiteRow &row : rows) {
    if (!row.moves_global)
      continue;
    const Figures figure = figures(row);
    const bool scattered = row.excess_sectors() > 0 && row.counts.sectors >= 2 * row.counts.ideal_sectors;
    table.row({{place(*row.site, program), Style::Dim},
               {expression(row, rows, width)},
               {describe_operation(row.site->access), Style::Dim},
               {to_string(figure.requests)},
               {to_string(figure.sectors), scattered ? Style::BoldRed : Style::Plain},
               {to_string(figure.ideal_sectors)},
               {to_string(figure.tags)},
               {ratio(figure.sectors, figure.ideal_sectors), scattered ? Style::BoldRed : Style::Plain},
               {verdict(row, launch, notes), verdict_style(row)}});
  }
  total_row(table, rows, Space::Global);
  return table;
}

/// What each unit takes, the longest first.
/// `  reads: 134,217,728 bytes of A, >=4,063,232 distinct ones; FP32: >=33,554,432 instructions of warps`
std::string traffic_line(const FileAnalysis &file, const LaunchAnalysis &analysis, const LaunchFloor &launch) {
  std::string out;
  const auto add = [&](const std::string &text) { out += (out.empty() ? "  counted: " : "; ") + text; };
  for (const ArrayReads &reads : analysis.result.least.reads)
    add("reads " + plural(reads.requested_bytes, "byte") + " of " +
        sinks::line(array_name(file.programs[analysis.program], reads)) + ", >=" + thousands(reads.least_bytes) +
        " distinct ones" + (reads.block_bytes != 0 ? " (of a block >=" + thousands(reads.block_bytes) + ")" : ""));
  const ArithmeticWork &arithmetic = launch.work.arithmetic;
  for (const auto &[name, instructions] :
       {std::pair("FP32", arithmetic.fp32), std::pair("FP64", arithmetic.fp64),
        std::pair("special functions", arithmetic.special), std::pair("integers", arithmetic.integer),
        std::pair("integer products", arithmetic.multiply), std::pair("shuffles", arithmetic.shuffles),
        std::pair("all", arithmetic.instructions)})
    if (instructions != 0)
      add(std::string(name) + ": >=" + plural(instructions, "instruction") + " of warps");
  const Intensity intensity = intensity_of(launch.work);
  for (const auto &[each, what] : {std::pair(intensity.of_global, "different byte of global memory"),
                                   std::pair(intensity.of_shared, "byte of shared memory")})
    if (each) {
      char text[32];
      std::snprintf(text, sizeof text, "%.3g", *each);
      add(std::string(text) + " operations for each " + what);
    }
  return out.empty() ? out : out + "\n";
}

Table floor_table(const LaunchFloor &launch) {
  Table table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Left});
  table.row({{"unit", Style::Bold}, {""}, {"cycles", Style::Dim}, {"at least", Style::Dim}, {""}});
  const Floor &floor = launch.floor;
  for (const ResourceFloor &one : floor.resources)
    table.row({{std::string(to_string(one.resource))},
               {std::string(metric_name(one.resource)), Style::Dim},
               {thousands(one.cycles)},
               {duration_text(one.ns)},
               {&one == &floor.resources.front() && launch.binds() ? "binds" : "", Style::BoldRed}});
  return table;
}

/// `blocks: 1,024 on 132 SMs, 8 on the busiest; 2 at a time with 64 warps (threads)`
std::string occupancy_line(const LaunchFloor &launch) {
  const Residency &residency = launch.residency;
  return "  blocks: " + thousands(launch.work.blocks) + " on " +
         thousands(static_cast<std::uint64_t>(launch.gpu->sms.value)) + " SMs, " +
         thousands(residency.blocks_of_busiest) + " on the busiest; an SM has room for " +
         std::to_string(residency.occupancy.blocks_per_sm) + " (" + std::string(to_string(residency.occupancy.limit)) +
         "), " + plural(residency.warps_at_once, "warp") + " at a time\n";
}

/// `1`, or `1-4` where requests differ.
std::string span_text(const Span &span) {
  return span.least == span.most ? std::to_string(span.least)
                                 : std::to_string(span.least) + "-" + std::to_string(span.most);
}

/// What can be said of accesses whose addresses depend on data.
Table data_table(const std::vector<SiteRow> &rows, const Program &program, std::size_t width) {
  Table table(
      {Align::Right, Align::Left, Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
  table.row({{""},
             {"depends on data", Style::Bold},
             {""},
             {"index", Style::Dim},
             {"best", Style::Dim},
             {"worst", Style::Dim},
             {"uniform data", Style::Dim},
             {"a request", Style::Dim}});
  for (const SiteRow &row : rows) {
    if (!row.data)
      continue;
    const auto add = [&](const Span &bounds, const std::optional<double> &mean, const char *unit) {
      char text[32] = "?";
      if (mean)
        std::snprintf(text, sizeof text, "%.2f", *mean);
      table.row({{place(*row.site, program), Style::Dim},
                 {expression(row, rows, width)},
                 {describe_operation(row.site->access), Style::Dim},
                 {row.data->range.empty() ? "several ranges" : row.data->range},
                 {std::to_string(bounds.least)},
                 {std::to_string(bounds.most)},
                 {text},
                 {unit, Style::Dim}});
    };
    if (row.moves_shared)
      add(row.data->wavefronts, row.data->expected_wavefronts, "wavefronts");
    if (row.moves_global)
      add(row.data->sectors, row.data->expected_sectors, "sectors");
  }
  return table;
}

/// What is not known for one value is not for any, and needs no second row.
bool has_formula_row(const SiteRow &row) {
  return row.symbolic && (row.verdict != Verdict::Unknown || row.symbolic->known());
}

/// What holds for all values of what the launch leaves open: per request, and in all.
Table formula_table(const std::vector<SiteRow> &rows, const Program &program, std::vector<std::string> &notes,
                    std::size_t width) {
  Table table({Align::Right, Align::Left, Align::Left, Align::Right, Align::Left, Align::Left});
  table.row({{""},
             {"for any value", Style::Bold},
             {""},
             {"a request", Style::Dim},
             {"", Style::Dim},
             {"in all", Style::Dim}});
  for (const SiteRow &row : rows) {
    if (!has_formula_row(row))
      continue;
    const SymbolicCounts &any = *row.symbolic;
    std::vector<std::tuple<std::string, const char *, std::string>> figures;
    if (!any.known()) {
      figures.emplace_back("?", "",
                           "no formula" +
                               footnote("no formula: " + any.reason + placed(any.reason, any.reason_location), notes));
    } else {
      if (row.moves_shared)
        figures.emplace_back(span_text(any.wavefronts), "wavefronts", to_string(any.wavefronts_formula));
      if (row.moves_global)
        figures.emplace_back(span_text(any.sectors), "sectors", to_string(any.sectors_formula));
    }
    for (const auto &[request, unit, all] : figures)
      table.row({{place(*row.site, program), Style::Dim},
                 {expression(row, rows, width)},
                 {describe_operation(row.site->access), Style::Dim},
                 {request},
                 {unit, Style::Dim},
                 {all}});
  }
  return table;
}

/// What a request costs in all launches, or in those with its block where that is known: a row for each case.
Table pattern_table(const std::vector<SiteRow> &rows, const Program &program, std::vector<std::string> &notes,
                    const Launch &launch, std::size_t width) {
  Table table({Align::Right, Align::Left, Align::Left, Align::Left, Align::Left});
  table.row({{""},
             {all_launches(launch, launch.block_known), Style::Bold},
             {""},
             {"a request", Style::Dim},
             {"when", Style::Dim}});
  for (const SiteRow &row : rows) {
    if (!row.pattern || !row.pattern->reached)
      continue;
    const Pattern &pattern = *row.pattern;
    bool first = true;
    std::set<std::pair<std::string, std::string>> said; // copies of an access may have the same cases
    const auto add = [&](const std::string &cost, const std::string &when) {
      if (!said.emplace(cost, when).second)
        return;
      table.row({{first ? place(*row.site, program) : "", Style::Dim},
                 {first ? expression(row, rows, width) : ""},
                 {first ? describe_operation(row.site->access) : "", Style::Dim},
                 {cost},
                 {when}});
      first = false;
    };
    const std::string note =
        pattern.reason.empty()
            ? ""
            : footnote("in all launches: " + pattern.reason + placed(pattern.reason, pattern.reason_location), notes);
    for (const PatternCase &one : pattern.cases) {
      if (!admitted(one, launch) || (launch.block_known && !(shapes_of(one) & shapes_of(launch))))
        continue;
      std::string cost = row.moves_shared ? pattern_cost(one, true) : "";
      if (row.moves_global)
        cost += (cost.empty() ? "" : ", ") + pattern_cost(one, false);
      const std::string when = to_string(launch.block_known ? beyond_block(one.when, launch) : one.when);
      add(cost, when.empty() ? "always" : when);
    }
    if (pattern.verdict == PatternVerdict::Data)
      add("depends on data" + note, "");
    else if (pattern.verdict == PatternVerdict::Unknown)
      add("not known" + note, "");
    else if (!note.empty() && !all_admitted_known(pattern, launch))
      add("not known" + note, "any other block shape");
  }
  return table;
}

/// `n % 32 == 0, gridDim.x <= 65,535`: where the formulas hold.
std::string domain_text(const std::vector<LaunchSymbol> &symbols) {
  std::string out;
  for (const LaunchSymbol &symbol : symbols) {
    std::string one = symbol.facts.empty() && !symbol.most ? symbol.name : symbol.facts;
    if (symbol.most)
      one += (one.empty() ? "" : ", ") + symbol.name + " <= " + thousands(*symbol.most);
    out += (out.empty() ? "" : ", ") + one;
  }
  return out;
}

/// The table with expressions as long as the line allows.
template <class Build> std::string fitted(Build build, bool color) {
  std::size_t width = kWidestExpression;
  // The longest expression may be shorter than the column may be: the first steps then change nothing.
  for (std::size_t widest;
       (widest = widest_line(build(width).print("  ", false))) > kTableWidth && width > kNarrowestExpression;)
    width = std::max(kNarrowestExpression, width - std::min(width, widest - kTableWidth));
  return build(width).print("  ", color);
}

/// What is known of races in shared memory.
std::string races_text(const Races &races, const Launch &launch) {
  std::vector<Assumption> more = races.assumptions; // the launch's own are above
  std::erase_if(more, [&](const Assumption &one) { return llvm::is_contained(launch.assumptions, one); });
  if (!races.free_blocks.empty() && races.verdict() != RaceVerdict::Race)
    return "none in blocks of " + block_ranges(races.free_blocks) +
           ", whatever the grid and the arguments are; the launch's block is not known" +
           (races.assumed && !more.empty() ? "; assumed: " + sinks::line(to_string(more)) : "");
  switch (races.verdict()) {
  case RaceVerdict::Free:
    return races.always    ? "none, whatever the grid and the arguments are"
           : races.assumed ? "none in the launch as it is assumed: " + sinks::line(to_string(races.assumptions))
                           : "none in this launch";
  case RaceVerdict::Race:
    return !races.assumed ? "found"
                          : "found in the launch as it is assumed" +
                                (more.empty() ? std::string() : ": " + sinks::line(to_string(more)));
  case RaceVerdict::Unknown: break;
  }
  const SourceLocation &place = races.reason_location;
  const std::string line = place.known() ? "line " + std::to_string(place.line) : "";
  return "not known: " + sinks::line(races.reason) +
         (line.empty() || races.reason.find(line) != std::string::npos ? "" : " (" + line + ")");
}

} // namespace

std::string arguments_text(const Program &program, const Launch &launch) {
  std::string out;
  for (const ArgumentValue &argument : launch.arguments) {
    if (argument.pointer || argument.index >= program.parameters.size())
      continue;
    const Parameter &parameter = program.parameters[argument.index];
    out += out.empty() ? "" : " ";
    const std::string *type = &parameter.type;
    const auto member = std::ranges::find_if(parameter.members,
                                             [&](const ParameterMember &one) { return one.offset == argument.offset; });
    if (member != parameter.members.end()) {
      out += member->name;
      type = &member->type;
    } else {
      out += parameter.name.empty() ? "argument" + std::to_string(argument.index) : parameter.name;
      if (argument.offset != 0)
        out += "+" + std::to_string(argument.offset);
    }
    out += "=" + (argument.value ? scalar_text(*argument.value, *type, argument.width_bits / 8) : std::string("?"));
  }
  return out;
}

std::string origin_text(const Launch &launch) {
  std::string out(to_string(launch.shape_provenance));
  if (launch.location.known())
    out += " at " + to_string(launch.location);
  if (launch.called_from.known())
    out += ", called at " + to_string(launch.called_from);
  return out;
}

std::string compiled_text(const FileAnalysis &file, const LaunchAnalysis &analysis) {
  const auto known = file.compiled.kernels.find(file.programs[analysis.program].mangled);
  if (known == file.compiled.kernels.end())
    return {};
  const CompiledKernel &kernel = known->second;
  std::vector<std::string> parts;
  if (kernel.registers)
    parts.push_back(std::to_string(*kernel.registers) + " registers");
  if (kernel.shared_bytes)
    parts.push_back(thousands(*kernel.shared_bytes) + " B of static shared memory");
  if (kernel.stack_bytes.value_or(0) != 0)
    parts.push_back(thousands(*kernel.stack_bytes) + " B of stack a thread");
  const auto local = [&](std::uint32_t instructions, const char *what, std::uint64_t LocalTraffic::*requests) {
    if (instructions == 0)
      return;
    std::string text = plural(instructions, std::string("local ") + what);
    if (analysis.local)
      text += std::string(" (") + (analysis.local->exact ? "" : ">= ") + thousands((*analysis.local).*requests) +
              " requests)";
    parts.push_back(std::move(text));
  };
  local(kernel.local_loads, "load", &LocalTraffic::load_requests);
  local(kernel.local_stores, "store", &LocalTraffic::store_requests);
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string launch_table(const FileAnalysis &file, const LaunchAnalysis &analysis, const TextOptions &options,
                         const Gpu *gpu, bool with_architecture) {
  const Program &program = file.programs[analysis.program];
  const Launch &launch = analysis.launch;
  const std::vector<SiteRow> rows = site_rows(program, analysis.result, patterns_of(file, analysis.program));

  std::string out = styled(short_kernel(program.kernel, 100), Style::Bold, options.color) +
                    "  grid=" + short_dim(launch.grid) + " block=" + short_dim(launch.block);
  if (analysis.result.shared_bytes != 0 || launch.dynamic_shared_bytes != 0)
    out += " shared=" + thousands(analysis.result.shared_bytes) + " B";
  if (launch.dynamic_shared_bytes != 0)
    out += " (" + thousands(launch.dynamic_shared_bytes) + " dynamic)";
  if (const std::string arguments = arguments_text(program, launch); !arguments.empty())
    out += " " + sinks::line(arguments);
  out += "\n" +
         styled("  launch: " + origin_text(launch) +
                    (with_architecture ? ", on " + std::string(file.architecture->name) : ""),
                Style::Dim, options.color) +
         "\n";
  if (const std::string compiled = compiled_text(file, analysis); !compiled.empty())
    out += styled("  compiled: " + compiled, Style::Dim, options.color) + "\n";
  for (const Assumption &assumption : launch.assumptions)
    out += styled("  assumed: " + assumption.text, Style::Yellow, options.color) + "\n";
  for (const std::string &part : launch.not_known)
    out += styled("  not known: " + part, Style::Yellow, options.color) + "\n";

  std::vector<std::string> notes;
  const bool any_shared = std::any_of(rows.begin(), rows.end(), [](const SiteRow &row) { return row.moves_shared; });
  const bool any_global = std::any_of(rows.begin(), rows.end(), [](const SiteRow &row) { return row.moves_global; });
  if (any_shared)
    out += fitted([&](std::size_t width) { return shared_table(rows, program, launch, notes, width); }, options.color);
  if (any_global)
    out += fitted([&](std::size_t width) { return global_table(rows, program, launch, notes, width); }, options.color);
  const auto floor = launch_floor(file, analysis, gpu);
  if (floor && (floor->bound().value_or(false) || !floor->assumed_launch)) {
    out += "  floor: " + floor_text(*floor) + (floor->floor.assumed || floor->assumed_launch ? ", assumed" : "") + "\n";
    if (options.verbose)
      out += floor_table(*floor).print("  ", options.color) + occupancy_line(*floor) +
             traffic_line(file, analysis, *floor);
  }
  if (any_shared && analysis.races)
    out += "  races: " + races_text(*analysis.races, analysis.launch) + "\n";
  if (std::any_of(rows.begin(), rows.end(), [](const SiteRow &row) { return row.data.has_value(); }))
    out += fitted([&](std::size_t width) { return data_table(rows, program, width); }, options.color);
  if (!analysis.symbols.empty() && std::any_of(rows.begin(), rows.end(), has_formula_row)) {
    out += styled("  open: " + domain_text(analysis.symbols), Style::Dim, options.color) + "\n";
    out += fitted([&](std::size_t width) { return formula_table(rows, program, notes, width); }, options.color);
  }
  if (options.verbose &&
      std::any_of(rows.begin(), rows.end(), [](const SiteRow &row) { return row.pattern && row.pattern->reached; }))
    out += fitted([&](std::size_t width) { return pattern_table(rows, program, notes, launch, width); }, options.color);
  if (rows.empty())
    out += "  no memory instruction\n";
  for (std::size_t i = 0; i < notes.size(); ++i)
    out += styled("  (" + std::to_string(i + 1) + ") " + notes[i], Style::Dim, options.color) + "\n";
  return out;
}

} // namespace smem
