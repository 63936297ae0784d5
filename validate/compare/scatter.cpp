#include "scatter.h"

#include "html_text.h"
#include "sinks/escape.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

namespace smem::compare {
namespace {

constexpr double kSide = 420, kLeft = 64, kBottom = 48, kTop = 12, kRight = 16;

struct Point {
  std::uint64_t predicted = 0, measured = 0;
  bool sectors = false;
  bool wrong = false; ///< the row; the figure that is drawn may agree nevertheless
  auto operator<=>(const Point &) const = default;
};

struct Rows {
  std::size_t count = 0;
  std::string first;
};

/// Zero at 0, one at 1, ten at 2, …
double position(std::uint64_t value) { return value == 0 ? 0.0 : 1.0 + std::log10(static_cast<double>(value)); }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

class Plot {
public:
  explicit Plot(const Comparison &comparison) {
    for (const LaunchComparison &launch : comparison.launches)
      for (const Row &row : launch.rows)
        collect(row);
    double furthest = 2;
    for (const auto &[point, rows] : points)
      furthest = std::max({furthest, position(point.predicted), position(point.measured)});
    decades = static_cast<int>(std::ceil(furthest));
  }

  std::string draw() {
    out = "<svg role=\"img\" aria-label=\"Predicted against measured counts, logarithmic\" width=\"" +
          number(kLeft + kSide + kRight) + "\" height=\"" + number(kTop + kSide + kBottom) + "\" viewBox=\"0 0 " +
          number(kLeft + kSide + kRight) + " " + number(kTop + kSide + kBottom) + "\">\n";
    for (int decade = 0; decade <= decades; ++decade) {
      const std::string label = decade == 0 ? "0"
                                : decade == 1
                                    ? "1"
                                    : "10<tspan dy=\"-5\" font-size=\"9\">" + std::to_string(decade - 1) + "</tspan>";
      line("grid", x(decade), y(0), x(decade), y(decades));
      line("grid", x(0), y(decade), x(decades), y(decade));
      out += "<text x=\"" + number(x(decade)) + "\" y=\"" + number(y(0) + 18) + "\" text-anchor=\"middle\">" + label +
             "</text>\n";
      out += "<text x=\"" + number(x(0) - 8) + "\" y=\"" + number(y(decade) + 4) + "\" text-anchor=\"end\">" + label +
             "</text>\n";
    }
    line("diagonal", x(0), y(0), x(decades), y(decades));
    out += "<text x=\"" + number(x(decades / 2.0)) + "\" y=\"" + number(y(0) + 40) +
           "\" text-anchor=\"middle\">predicted</text>\n";
    out += "<text transform=\"translate(14 " + number(y(decades / 2.0)) +
           ") rotate(-90)\" text-anchor=\"middle\">measured</text>\n";
    // Those that disagree last, on top.
    for (const bool wrong : {false, true})
      for (const auto &[point, rows] : points)
        if (point.wrong == wrong)
          mark(point, rows);
    return out + "</svg>\n";
  }

private:
  void collect(const Row &row) {
    if (row.verdict == Verdict::Unknown || row.verdict == Verdict::Unstable)
      return;
    const Figures predicted = row.predicted.value_or(Figures{}), measured = row.measured.value_or(Figures{});
    const bool copy = row.operation == Operation::AsyncCopy;
    for (const bool sectors : {false, true}) {
      if (!copy && sectors != (row.space == Space::Global))
        continue;
      const auto value = sectors ? &Figures::sectors : &Figures::wavefronts;
      Rows &rows = points[{predicted.*value, measured.*value, sectors, row.verdict == Verdict::Mismatch}];
      if (++rows.count == 1)
        rows.first = row.place.file + ":" + std::to_string(row.place.line);
    }
  }

  double x(double value) const { return kLeft + value / decades * kSide; }
  double y(double value) const { return kTop + kSide - value / decades * kSide; }

  void line(const char *kind, double x1, double y1, double x2, double y2) {
    out += std::string("<line class=\"") + kind + "\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
           number(x2) + "\" y2=\"" + number(y2) + "\"/>\n";
  }

  void mark(const Point &point, const Rows &rows) {
    const double cx = x(position(point.predicted)), cy = y(position(point.measured));
    const std::string title =
        "<title>" + std::string(point.sectors ? "sectors" : "wavefronts") + ": predicted " + grouped(point.predicted) +
        ", measured " + grouped(point.measured) + "; " + sinks::markup(rows.first) +
        (rows.count > 1 ? " and " + std::to_string(rows.count - 1) + " more" : std::string()) + "</title>";
    if (point.wrong)
      out += "<path class=\"point mismatch\" d=\"M" + number(cx - 5) + " " + number(cy - 5) + "l10 10m0 -10l-10 10\">" +
             title + "</path>\n";
    else if (point.sectors)
      out += "<rect class=\"point\" x=\"" + number(cx - 4) + "\" y=\"" + number(cy - 4) +
             "\" width=\"8\" height=\"8\">" + title + "</rect>\n";
    else
      out += "<circle class=\"point\" cx=\"" + number(cx) + "\" cy=\"" + number(cy) + "\" r=\"4.5\">" + title +
             "</circle>\n";
  }

  std::map<Point, Rows> points;
  int decades = 2;
  std::string out;
};

} // namespace

std::string scatter_plot(const Comparison &comparison) { return Plot(comparison).draw(); }

} // namespace smem::compare
