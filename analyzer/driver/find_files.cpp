#include "driver/find_files.h"

#include "driver/compile_database.h"
#include "driver/include_graph.h"
#include "driver/included_sources.h"
#include "support/paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace smem {
namespace fs = std::filesystem;
namespace {

using Severity = Diagnostic::Severity;

bool is_header(std::string_view path) {
  constexpr std::array<std::string_view, 6> kEnds{".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return path.ends_with(end); });
}

/// What a build makes, and what package managers bring: by the customary names, and by what CMake and other tools leave there.
bool is_build_folder(const fs::path &folder) {
  constexpr std::array<std::string_view, 6> kNames{"build", "_build", "buck-out", "node_modules", "venv", "CMakeFiles"};
  constexpr std::array<std::string_view, 2> kPrefixes{"cmake-build-", "bazel-"};
  constexpr std::array<const char *, 4> kMarks{"CMakeCache.txt", "build.ninja", "CACHEDIR.TAG", "pyvenv.cfg"};
  const std::string name = folder.filename().string();
  std::error_code error;
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view each) { return name.starts_with(each); }) ||
         std::any_of(kMarks.begin(), kMarks.end(), [&](const char *each) { return fs::exists(folder / each, error); });
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/'))
    path.pop_back();
  return path;
}

/// The name of what lies at `below` in the folder that was typed as `folder`. Never one that means something else.
std::string joined(const std::string &folder, const std::string &below) {
  const std::string typed = without_slash(folder);
  if (typed != "." && typed != "./.")
    return typed + (typed == "/" ? "" : "/") + below;
  return below.starts_with('-') || below.starts_with('<') ? "./" + below : below;
}

class Finder {
public:
  Finder(const DriverOptions &options, Settings &settings)
      : options(options), settings(settings), exclude_used(options.exclude.size()) {}

  FoundFiles run() {
    std::vector<std::string> folders;
    std::error_code error;
    for (const std::string &file : options.files)
      if (file != "-" && fs::is_directory(file, error))
        folders.push_back(file);
      else if (file == "-" || !options.force_exclude || !is_excluded(normalise_path(file), options, settings))
        add_typed(file);
      else
        say(Severity::Note, file, "excluded");
    const bool named_files = !shown.empty();
    for (const std::string &folder : folders)
      search(folder, named_files || folders.size() > 1);
    for (std::size_t i = 0; i < exclude_used.size() && !folders.empty() && !options.build_path; ++i)
      if (!exclude_used[i])
        say(Severity::Note, {}, "--exclude: nothing in these folders matches '" + options.exclude[i].text() + "'");
    leave_out_included();
    take_headers();
    if (options.files.empty())
      take_database();
    for (const auto &[path, name] : shown)
      found.files.push_back(name);
    for (const auto &[path, name] : callers)
      if (!shown.contains(path))
        found.callers.push_back(name);
    return std::move(found);
  }

private:
  std::string here() { return without_slash(normalise_path(".")); }

  void add(const std::string &path, const std::string &name) { shown.emplace(path, name); }

  /// Of several spellings the shortest: the order of the command line does not show.
  void add_typed(const std::string &file) {
    const auto [entry, fresh] = shown.emplace(normalise_path(file), file);
    if (!fresh && std::pair(file.size(), file) < std::pair(entry->second.size(), entry->second))
      entry->second = file;
  }

  void say(Severity severity, const std::string &place, const std::string &message) {
    found.diagnostics.push_back({severity, {place, 0, 0}, message});
  }

  /// What lies below a folder.
  struct Contents {
    std::map<std::string, std::string> sources, headers; ///< names by path
    bool excluded = false;                               ///< something is
  };

  bool excluded_by_option(const std::string &path) {
    bool excluded = false;
    for (std::size_t i = 0; i < options.exclude.size(); ++i)
      if (options.exclude[i].matches(path))
        excluded = exclude_used[i] = true;
    return excluded;
  }

  void walk(const std::string &path, const std::string &below, const std::string &typed, Contents &contents) {
    std::error_code error;
    fs::directory_iterator entries(path, error);
    if (error) {
      say(Severity::Error, below.empty() ? typed : joined(typed, below), "cannot read this folder: " + error.message());
      return;
    }
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
      const fs::directory_entry &entry = *entries;
      const std::string name = entry.path().filename().string();
      const std::string inside = (path == "/" ? path : path + "/") + name;
      const bool excluded =
          excluded_by_option(inside); // of what is not looked at in any case, too: its pattern matches something
      std::error_code gone;
      const fs::file_status status = entry.symlink_status(gone);
      const bool folder = fs::is_directory(status);
      if (name.starts_with('.') || (folder ? is_build_folder(entry.path()) : !fs::is_regular_file(status)))
        continue;
      if (!folder && !is_cuda_source(name) && !is_header(name))
        continue;
      if (excluded || any_matches(settings.of(path).config.exclude, inside)) {
        contents.excluded = true;
        continue;
      }
      const std::string from_root = below.empty() ? name : below + "/" + name;
      if (folder)
        walk(inside, from_root, typed, contents);
      else
        (is_cuda_source(name) ? contents.sources : contents.headers).emplace(inside, joined(typed, from_root));
    }
    if (error)
      say(Severity::Error, below.empty() ? typed : joined(typed, below), "cannot read this folder: " + error.message());
  }

  void search(const std::string &typed, bool among_others) {
    Contents contents;
    const std::string root = without_slash(normalise_path(typed));
    const std::size_t said = found.diagnostics.size();
    walk(root, {}, typed, contents);
    for (const auto &[path, name] : contents.headers)
      graph.add_known(path);
    bool some = false;
    for (const auto &[path, name] : contents.sources)
      if (graph.may_hold_kernels(path, folders_for(path))) {
        some = true;
        if (!shown.contains(path))
          searched.insert(path);
        add(path, name);
      } else {
        callers.emplace(path, name);
      }
    for (const auto &[path, name] : contents.headers)
      if (graph.defines_kernels(path)) {
        some = true;
        headers.emplace(path, name);
      }
    if (const std::string place = options.build_path ? *options.build_path : CompileDatabase::find_above(root + "/.");
        some && !options.fixed_flags && !place.empty())
      if (const CompileDatabase *commands = database(place)) {
        take_callers(*commands, root);
        for (const std::string &path : commands->cuda_files())
          units.insert(path);
      }
    if (some || found.diagnostics.size() != said)
      return;
    if (!contents.sources.empty() || std::any_of(contents.headers.begin(), contents.headers.end(),
                                                 [](const auto &each) { return each.first.ends_with(".cuh"); }))
      say(Severity::Note, typed, "no file in this folder has a kernel or a launch");
    else if (contents.excluded)
      say(Severity::Note, typed, "all CUDA files in this folder are excluded");
    else // a folder that is misspelled must not look clean
      say(among_others ? Severity::Warning : Severity::Error, typed, "no CUDA file in this folder");
  }

  /// Sources that others include are analysed with these, unless they are named, or a build compiles them by themselves.
  void leave_out_included() {
    std::set<std::string> all;
    for (const auto &[path, name] : shown)
      all.insert(path);
    for (const std::string &path : included_sources(all))
      if (searched.contains(path) && !units.contains(path))
        shown.erase(path);
  }

  /// The headers that none of the files includes, and of those that include each other the first.
  void take_headers() {
    if (headers.empty())
      return;
    std::set<std::string> included;
    std::map<IncludeGraph::Folders, std::vector<std::string>> files;
    for (const auto &[path, name] : shown)
      files[folders_for(path)].push_back(path);
    for (const auto &[folders, paths] : files)
      graph.collect(paths, folders, included);
    for (const auto &[path, name] : headers) {
      if (included.count(path) || shown.count(path))
        continue;
      std::set<std::string> others;
      graph.collect({path}, folders_for(path), others);
      others.erase(path);
      // What an earlier header has brought is in `included`; what this one brings was perhaps taken before it.
      for (const std::string &other : others)
        if (taken_headers.erase(other))
          shown.erase(other);
      included.merge(others);
      taken_headers.insert(path);
      add(path, name);
    }
  }

  static std::string shown_as(const std::string &path, const std::string &directory) {
    return lies_in(path, directory) ? joined(".", path.substr(directory.size() + 1)) : path;
  }

  /// C++ sources below a folder, or all. Which of them are read is decided by what they name.
  void take_callers(const CompileDatabase &commands, const std::string &below) {
    const std::string directory = here();
    for (const std::string &path : commands.host_files())
      if ((below.empty() || lies_in(path, below)) && !is_excluded(path, options, settings))
        callers.emplace(path, shown_as(path, directory));
  }

  void take_database() {
    const CompileDatabase *commands = database(*options.build_path);
    if (!commands)
      return;
    const std::string directory = here();
    bool excluded = false, missing = false;
    for (const std::string &path : commands->cuda_files()) {
      if (is_excluded(path, options, settings)) {
        excluded = true;
        continue;
      }
      std::error_code unknown;
      if (fs::status(path, unknown).type() == fs::file_type::not_found) {
        missing = true;
        say(Severity::Error, shown_as(path, directory),
            "no such file; the compilation database in '" + *options.build_path +
                "' names it: build the project again, or leave it out with --exclude");
        continue;
      }
      add(path, shown_as(path, directory));
    }
    if (!shown.empty())
      take_callers(*commands, {});
    if (shown.empty() && !missing)
      say(excluded ? Severity::Note : Severity::Error, *options.build_path,
          excluded ? "all CUDA files of this compilation database are excluded"
                   : "the compilation database has no CUDA file");
  }

  /// Null if there is none or it cannot be read. The latter is an error only where nothing can be done without it; the analysis of a file says it otherwise.
  const CompileDatabase *database(const std::string &path) {
    const auto known = databases.find(path);
    if (known != databases.end())
      return known->second ? &*known->second : nullptr;
    std::string error;
    std::optional<CompileDatabase> &database = databases[path] = CompileDatabase::load(path, error);
    if (!error.empty() && options.files.empty())
      say(Severity::Error, path, error);
    return database ? &*database : nullptr;
  }

  /// Where the compiler looks for headers of a file.
  IncludeGraph::Folders folders_for(const std::string &path) {
    const Config &config = settings.of(path).config;
    std::vector<std::string> flags = config.extra_args_before;
    const auto append = [&](const std::vector<std::string> &more) {
      flags.insert(flags.end(), more.begin(), more.end());
    };
    append(options.flags_before);
    if (options.fixed_flags) {
      append(*options.fixed_flags);
    } else if (const std::string place = options.build_path ? *options.build_path : CompileDatabase::find_above(path);
               !place.empty()) {
      const CompileDatabase *commands = database(place);
      if (const auto entry = commands ? commands->find(path) : std::nullopt)
        append(entry->flags);
    }
    append(config.extra_args);
    append(options.flags_after);
    std::vector<std::string> folders;
    for (const std::string_view folder : include_folders(flags))
      folders.push_back(without_slash(normalise_path(folder)));
    return graph.folders(folders);
  }

  const DriverOptions &options;
  Settings &settings;
  std::vector<bool> exclude_used; ///< parallel to DriverOptions::exclude
  FoundFiles found;
  std::map<std::string, std::string> shown;   ///< what is analysed: the name of each path
  std::map<std::string, std::string> headers; ///< with kernels, of folders
  std::map<std::string, std::string> callers; ///< as FoundFiles::callers
  std::set<std::string> taken_headers;
  std::set<std::string> searched; ///< of `shown`: sources of folders that are not named themselves
  std::set<std::string> units;    ///< what the databases above the folders compile
  std::map<std::string, std::optional<CompileDatabase>> databases;
  IncludeGraph graph;
};

} // namespace

bool is_excluded(const std::string &path, const DriverOptions &options, Settings &settings) {
  const std::string here = without_slash(normalise_path("."));
  std::size_t end = lies_in(path, here) ? here.size() : fs::path(path).parent_path().string().size();
  while (end != std::string::npos && end < path.size()) {
    const std::string folder = end == 0 ? "/" : path.substr(0, end);
    end = path.find('/', end + 1);
    const std::string_view part = std::string_view(path).substr(0, end);
    if (any_matches(options.exclude, part) || any_matches(settings.of(folder).config.exclude, part))
      return true;
  }
  return false;
}

FoundFiles find_files(const DriverOptions &options, Settings &settings) { return Finder(options, settings).run(); }

} // namespace smem
