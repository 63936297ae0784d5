#include "fixes/edits.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

namespace smem {
namespace {

bool is_number(const std::string &text) {
  return !text.empty() && text.size() < 10 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// An operand of + that needs no parentheses.
std::string as_summand(const std::string &text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_:.+-*/ ()[]").find(static_cast<char>(c)) != std::string_view::npos;
  });
  return plain ? text : "(" + text + ")";
}

/// `A == 1 ? x : y`, or just the value if all cases agree.
template <class Value> std::string select(const LayoutCases &choice, const Value &value) {
  const std::vector<LayoutCase> &cases = choice.cases;
  std::string text = value(cases.back().layout);
  bool agree = true;
  for (const LayoutCase &each : cases)
    agree &= value(each.layout) == text;
  if (agree)
    return text;
  for (auto each = cases.rbegin() + 1; each != cases.rend(); ++each)
    text = each->condition + " ? " + value(each->layout) + " : " + text;
  return text;
}

template <class Property> bool any(const LayoutCases &cases, Property property) {
  return std::any_of(cases.cases.begin(), cases.cases.end(),
                     [&](const LayoutCase &each) { return (each.layout.*property)(); });
}

std::string newline_of(const std::string &text) { return text.find("\r\n") != std::string::npos ? "\r\n" : "\n"; }

class Planner {
public:
  Planner(const ArrayUses &uses, const LayoutCases &cases, std::uint32_t element, const FileTexts &texts)
      : uses_(uses), cases_(cases), element_(element), texts_(texts) {}

  PlannedEdits plan(const std::vector<std::size_t> &variables) {
    for (const std::size_t each : variables)
      if (!variable(uses_.variables[each]))
        return {{}, refusal_};
    if (!rows_untouched())
      return {{}, refusal_};
    std::vector<Edit> edits = edits_;
    const auto key = [](const Edit &edit) { return std::tie(edit.file, edit.offset, edit.length, edit.replacement); };
    std::stable_sort(edits.begin(), edits.end(), [&](const Edit &a, const Edit &b) { return key(a) < key(b); });
    edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
    for (std::size_t i = 1; i < edits.size(); ++i)
      if (edits[i - 1].offset + edits[i - 1].length > edits[i].offset && edits[i - 1].file == edits[i].file)
        return {{}, "two edits would overlap"};
    return {std::move(edits), {}};
  }

private:
  bool refuse(std::string why) {
    refusal_ = std::move(why);
    return false;
  }

  const std::string *text_of(const TextRange &range) {
    const auto text = texts_.find(range.file);
    return text != texts_.end() && range.end <= text->second.size() && range.begin <= range.end ? &text->second
                                                                                                : nullptr;
  }

  bool variable(const ArrayVariable &variable) {
    const auto length_of = [](const Layout &layout) {
      return added_length(layout, "row") + std::to_string(layout.spread);
    };
    const bool longer = select(cases_, length_of) != length_of(Layout{});
    if (longer && variable.dynamic)
      return refuse("`" + variable.name + "` has its size from the launch, which would have to grow as well");
    if (longer && variable.rank > 0 && !(variable.parameter && variable.rank == 1)) {
      const std::string *text = text_of(variable.extent);
      if (!text || !variable.extent.known())
        return refuse("the extent of `" + variable.name + "` does not stand in the declaration itself");
      replace(variable.extent,
              edited_extent(text->substr(variable.extent.begin, variable.extent.end - variable.extent.begin), cases_));
    }
    for (const TextRange &pitch : variable.pitches) {
      const std::string *text = pitch.known() ? text_of(pitch) : nullptr;
      if (longer && !text)
        return refuse("a row pitch of `" + variable.name + "` comes out of a macro");
      if (longer)
        replace(pitch, edited_extent(text->substr(pitch.begin, pitch.end - pitch.begin), cases_));
    }
    if (!any(cases_, &Layout::moves_elements))
      return true;
    std::map<TextRange, ArrayUse> uses;
    for (const ArrayUse &use : variable.uses)
      if (const auto [known, added] = uses.emplace(use.index, use); !added && known->second.unit != use.unit)
        known->second.unit = element_; // the element's type is a template parameter
    return std::all_of(uses.begin(), uses.end(), [&](const auto &use) { return rewrite(variable, use.second); });
  }

  bool rewrite(const ArrayVariable &variable, const ArrayUse &use) {
    const std::string *text = use.index.known() ? text_of(use.index) : nullptr;
    if (!text || !use.body.known())
      return refuse("an index of `" + variable.name + "` comes out of a macro");
    for (const LayoutCase &each : cases_.cases) {
      const Layout &layout = each.layout;
      const auto whole = [&](std::uint64_t elements) { return elements * element_ % use.unit == 0; };
      if (use.unit == 0 || ((layout.spread != 1 || !cases_.index.empty()) && use.unit != element_) ||
          !std::all_of(layout.terms.begin(), layout.terms.end(), [&](const Layout::Term &term) {
            return (layout.takes_row() || whole(term.divisor)) && whole(term.factor);
          }))
        return refuse("`" + variable.name + "` is indexed in units of " + std::to_string(use.unit) + " bytes");
    }
    const bool by_row = any(cases_, &Layout::takes_row);
    const std::string name = helper(variable, use, by_row);
    if (name.empty())
      return false;
    std::string open = name + "(";
    if (by_row) {
      const std::string *row = use.row.known() ? text_of(use.row) : nullptr;
      if (!row || !use.row_repeatable)
        return refuse("the row that an index of `" + variable.name + "` belongs to cannot be repeated");
      open += row->substr(use.row.begin, use.row.end - use.row.begin) + ", ";
      repeated_.push_back(use.row);
    }
    insert(use.index.file, use.index.begin, open);
    insert(use.index.file, use.index.end, ")");
    return true;
  }

  /// A function object in the body of the use; its name.
  std::string helper(const ArrayVariable &variable, const ArrayUse &use, bool by_row) {
    const std::string name = variable.name + (use.unit == element_ ? "_at"
                                              : use.unit == 1      ? "_byte_at"
                                                                   : "_at_" + std::to_string(use.unit));
    if (!helpers_.insert({use.body, name}).second)
      return name;
    const std::string *text = text_of(use.body);
    if (!text || use.body.end - use.body.begin < 2 || (*text)[use.body.begin] != '{') {
      refuse("the function that indexes `" + variable.name + "` comes out of a macro");
      return {};
    }
    if (text->find(name) != std::string::npos) {
      refuse("the name `" + name + "` is taken");
      return {};
    }
    const std::string value =
        cases_.index.empty()
            ? select(cases_, [&](const Layout &layout) { return expression(layout, element_, use.unit); })
            : cases_.index;
    const std::string helper = "const auto " + name + " = [](" + (by_row ? "unsigned row, " : "") + "unsigned i) { " +
                               (cases_.index.empty() ? "return " : "") + value + "; };";
    if (const TextRange &statement = variable.statement; statement.known() && variable.body == use.body) {
      const std::size_t line = text->rfind('\n', statement.begin) + 1; // 0 in the first line
      const std::string before = text->substr(line, statement.begin - line);
      if (std::all_of(before.begin(), before.end(), [](char c) { return c == ' ' || c == '\t'; })) {
        insert(statement.file, statement.begin, helper + newline_of(*text) + before);
        return name;
      }
    }
    std::string indent;
    if (const std::size_t line = text->find('\n', use.body.begin); line != std::string::npos && line < use.body.end)
      for (std::size_t i = line + 1; i < text->size() && ((*text)[i] == ' ' || (*text)[i] == '\t'); ++i)
        indent += (*text)[i];
    insert(use.body.file, use.body.begin + 1, newline_of(*text) + (indent.empty() ? "  " : indent) + helper);
    return name;
  }

  /// A row's text that is repeated must not contain an index that is edited.
  bool rows_untouched() {
    for (const TextRange &row : repeated_)
      for (const Edit &edit : edits_)
        if (edit.file == row.file && edit.offset > row.begin && edit.offset < row.end)
          return refuse("an index that would be repeated contains another index of the array");
    return true;
  }

  void insert(const std::string &file, std::size_t offset, std::string text) {
    edits_.push_back({file, offset, 0, std::move(text)});
  }
  void replace(const TextRange &range, std::string text) {
    edits_.push_back({range.file, range.begin, range.end - range.begin, std::move(text)});
  }

  const ArrayUses &uses_;
  const LayoutCases &cases_;
  std::uint32_t element_;
  const FileTexts &texts_;
  std::vector<Edit> edits_;
  std::set<std::pair<TextRange, std::string>> helpers_;
  std::vector<TextRange> repeated_;
  std::string refusal_;
};

} // namespace

std::string edited_extent(const std::string &extent, const LayoutCases &cases) {
  const std::string more = select(cases, [&](const Layout &layout) { return added_length(layout, extent); });
  const bool uniform = more.find('?') == std::string::npos;
  std::string text = extent;
  if (uniform && is_number(more) && is_number(extent))
    text = std::to_string(std::stoull(extent) + std::stoull(more));
  else if (more != "0")
    text = as_summand(extent) + " + " + (uniform ? more : "(" + more + ")");
  const std::string spread = cases.index.empty()
                                 ? select(cases, [](const Layout &layout) { return std::to_string(layout.spread); })
                                 : cases.spread;
  if (spread != "1")
    text = "(" + text + ") * " + (is_number(spread) ? spread : "(" + spread + ")");
  return text;
}

std::string edited_declaration(const std::string &declaration, const LayoutCases &cases) {
  std::string out = declaration;
  if (const std::size_t close = declaration.rfind(']'); close != std::string::npos) {
    int depth = 0;
    std::size_t open = close;
    while (open > 0 && !(declaration[open] == '[' && depth == 1)) {
      depth += declaration[open] == ']' ? 1 : declaration[open] == '[' ? -1 : 0;
      --open;
    }
    out = declaration.substr(0, open + 1) + edited_extent(declaration.substr(open + 1, close - open - 1), cases) +
          declaration.substr(close);
  }
  for (const std::string_view word : {"static ", "extern ", "__shared__ "})
    if (const std::size_t at = out.find(word); at != std::string::npos)
      out.erase(at, word.size());
  return out;
}

PlannedEdits plan_edits(const ArrayUses &uses, const std::vector<std::size_t> &variables, const LayoutCases &cases,
                        std::uint32_t element, const FileTexts &texts) {
  return Planner(uses, cases, element, texts).plan(variables);
}

std::string apply_edits(const std::string &text, const std::vector<Edit> &edits, const std::string &file) {
  std::string out;
  std::size_t at = 0;
  for (const Edit &edit : edits) {
    if (edit.file != file)
      continue;
    out.append(text, at, edit.offset - at);
    out += edit.replacement;
    at = edit.offset + edit.length;
  }
  return out.append(text, at, std::string::npos);
}

} // namespace smem
