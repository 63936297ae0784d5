#include "driver/compile_database.h"

#include "frontend/included_names.h"
#include "flags/translate_flags.h"
#include "sinks/files.h"
#include "support/parse_json.h"
#include "support/paths.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/StringSaver.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

namespace smem {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLargestOptionsFile = std::size_t{1} << 20; ///< what is longer is no line that anybody typed

constexpr const char *kFileName = "compile_commands.json";

/// Flags whose value names something to read, either glued to the flag or in the next argument.
constexpr std::array<std::string_view, 13> kPathFlags{"--include-path",
                                                      "--system-include",
                                                      "--pre-include",
                                                      "-idirafter",
                                                      "-isystem",
                                                      "-include-pch",
                                                      "-imacros",
                                                      "-include",
                                                      "-iquote",
                                                      "-isysroot",
                                                      "--sysroot",
                                                      "-I",
                                                      "-F"};

/// Of these, flags whose value is looked for in the include folders, too.
constexpr std::array<std::string_view, 3> kIncludedFiles{"--pre-include", "-imacros", "-include"};

/// Flags that speak of outputs and dependency files, and take a value. Two commands that differ in these compile the same.
constexpr std::array<std::string_view, 8> kOutputFlags{"-o",  "--output-file", "-MF",   "-MT",
                                                       "-MQ", "-MJ",           "-odir", "--output-directory"};

constexpr std::array<std::string_view, 12> kOutputSwitches{"-c",   "-dc", "-dw", "--device-c", "--compile", "-MD",
                                                           "-MMD", "-MP", "-M",  "-ptx",       "-cubin",    "-S"};

template <std::size_t N> bool contains(const std::array<std::string_view, N> &set, std::string_view word) {
  return std::find(set.begin(), set.end(), word) != set.end();
}

std::string absolute(std::string_view path, const std::string &directory) {
  if (path.empty() || path.front() == '=' || path.front() == '/')
    return std::string(path);
  std::string result = normalise_path(path, directory);
  if (result.size() > 1 && result.ends_with('/')) // of "."
    result.pop_back();
  return result;
}

/// The value of one of kPathFlags, absolute where the compiler would find it from `directory`.
std::string value_of_path_flag(std::string_view flag, std::string_view value, const std::string &directory) {
  std::string path = absolute(value, directory);
  std::error_code error;
  return contains(kIncludedFiles, flag) && !fs::exists(path, error) ? std::string(value) : path;
}

std::vector<std::string> tokenize(llvm::StringRef command) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 64> words;
  llvm::cl::TokenizeGNUCommandLine(command, saver, words);
  return {words.begin(), words.end()};
}

/// nvcc's `--options-file a,b` and everyone's `@file`, relative to the folder of the command, in place of the argument. A file
/// that cannot be read stays an argument: whoever translates the flags complains.
class OptionsFiles {
public:
  explicit OptionsFiles(const std::string &directory) : directory(directory) {}

  std::vector<std::string> expand(const std::vector<std::string> &arguments) {
    std::vector<std::string> expanded;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string &argument = arguments[i];
      if (argument.size() > 1 && argument[0] == '@') {
        read(argument.substr(1), argument, expanded);
        continue;
      }
      const auto option = std::find_if(kOptions.begin(), kOptions.end(),
                                       [&](std::string_view name) { return argument.starts_with(name); });
      const bool joined =
          option != kOptions.end() && argument.size() > option->size() && argument[option->size()] == '=';
      const bool separate = option != kOptions.end() && argument.size() == option->size() && i + 1 < arguments.size();
      if (!joined && !separate) {
        expanded.push_back(argument);
        continue;
      }
      const std::string list = joined ? argument.substr(option->size() + 1) : arguments[++i];
      llvm::SmallVector<llvm::StringRef, 2> files;
      llvm::StringRef(list).split(files, ',', -1, false);
      for (const llvm::StringRef file : files)
        read(file.str(), "--options-file=" + absolute(file, directory), expanded);
    }
    return expanded;
  }

private:
  static constexpr std::array<std::string_view, 2> kOptions{"--options-file", "-optf"};

  void read(const std::string &file, std::string otherwise, std::vector<std::string> &expanded) {
    constexpr int kMaxDepth = 16; // of files that name files
    std::string wrong;
    const std::optional<std::string> text = sinks::read_existing(absolute(file, directory), wrong, kLargestOptionsFile);
    if (!text || depth >= kMaxDepth || (size += text->size()) > kLargestOptionsFile) {
      expanded.push_back(std::move(otherwise));
      return;
    }
    ++depth;
    const std::vector<std::string> inner = expand(tokenize(*text));
    --depth;
    expanded.insert(expanded.end(), inner.begin(), inner.end());
  }

  const std::string &directory;
  int depth = 0;
  std::size_t size = 0; ///< of all files: one may name another several times
};

/// Whether a command compiles CUDA whatever its file is called. `arguments` with the options files taken apart.
bool names_cuda(const std::vector<std::string> &arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    std::string_view language = arguments[i];
    if (language == "-x" || language == "--x" || language == "--language")
      language = i + 1 < arguments.size() ? std::string_view(arguments[i + 1]) : std::string_view();
    else if (language.starts_with("-x=") || language.starts_with("--x=") || language.starts_with("--language="))
      language.remove_prefix(language.find('=') + 1);
    else if (language.starts_with("-x"))
      language.remove_prefix(2);
    else
      continue;
    if (language == "cu" || language == "cuda")
      return true;
  }
  return false;
}

} // namespace

std::vector<std::string> flags_of_command(const std::vector<std::string> &command, const std::string &directory,
                                          const std::string &source) {
  std::vector<std::string> flags;
  const std::vector<std::string> arguments = OptionsFiles(directory).expand(command);
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument.empty())
      continue;
    if (argument == "--")
      break;
    if (contains(kOutputFlags, argument)) {
      ++i;
      continue;
    }
    if (contains(kOutputSwitches, argument) ||
        (argument.starts_with("-o") && argument.size() > 2 && argument.find('/') != std::string::npos))
      continue;
    if (argument.front() != '-') {
      if (normalise_path(argument, directory) != source)
        flags.push_back(argument); // the value of a flag that is not known here
      continue;
    }
    const auto flag = std::find_if(kPathFlags.begin(), kPathFlags.end(),
                                   [&](std::string_view name) { return argument.starts_with(name); });
    if (flag == kPathFlags.end()) {
      const std::size_t end = i + words_of_flag(arguments, i);
      for (; i < end; ++i)
        flags.push_back(arguments[i]);
      --i;
    } else if (argument.size() == flag->size()) {
      flags.push_back(argument);
      if (i + 1 < arguments.size())
        flags.push_back(value_of_path_flag(*flag, arguments[++i], directory));
    } else {
      const std::size_t value = flag->size() + (argument[flag->size()] == '=' ? 1 : 0);
      flags.push_back(argument.substr(0, value) +
                      value_of_path_flag(*flag, std::string_view(argument).substr(value), directory));
    }
  }
  return flags;
}

bool is_cuda_source(std::string_view path) {
  constexpr std::array<std::string_view, 4> kEnds{".cu", ".cu.cc", ".cu.cpp", ".cu.cxx"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return path.ends_with(end); });
}

std::string CompileDatabase::find_above(const std::string &file) {
  std::error_code error;
  for (fs::path folder = fs::path(normalise_path(file)).parent_path(); !folder.empty(); folder = folder.parent_path()) {
    for (const fs::path &candidate : {folder / kFileName, folder / "build" / kFileName}) // as clangd does
      if (fs::is_regular_file(candidate, error))
        return candidate.string();
    if (folder == folder.root_path())
      break;
  }
  return {};
}

std::optional<CompileDatabase> CompileDatabase::load(const std::string &path, std::string &error) {
  std::error_code code;
  const std::string file = fs::is_directory(path, code) ? (fs::path(path) / kFileName).string() : path;
  std::string wrong;
  const std::optional<std::string> text = sinks::read_existing(file, wrong);
  if (!text) {
    error = "cannot read " + file + ": " + wrong;
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> json = parse_json(*text);
  if (!json) {
    error = file + " is not JSON: " + llvm::toString(json.takeError());
    return std::nullopt;
  }
  const llvm::json::Array *entries = json->getAsArray();
  if (!entries) {
    error = file + " is no compilation database: an array is expected";
    return std::nullopt;
  }
  CompileDatabase database;
  std::size_t number = 0;
  for (const llvm::json::Value &value : *entries) {
    ++number;
    auto complain = [&](const std::string &what) {
      database.problems_.push_back("entry " + std::to_string(number) + " has no " + what);
    };
    const llvm::json::Object *entry = value.getAsObject();
    const auto source = entry ? entry->getString("file") : std::nullopt;
    if (!source) {
      complain("\"file\"");
      continue;
    }
    Command command;
    command.directory = entry->getString("directory").value_or("").str();
    if (const llvm::json::Array *list = entry->getArray("arguments")) {
      for (const llvm::json::Value &argument : *list)
        command.arguments.push_back(argument.getAsString().value_or("").str());
    } else if (const auto line = entry->getString("command")) {
      command.line = line->str();
    } else {
      complain("\"command\" and no \"arguments\"; " + source->str() + " is analysed without flags");
    }
    database.files[normalise_path(source->str(), command.directory)].push_back(std::move(command));
  }
  return database;
}

std::vector<std::string> CompileDatabase::Command::words() const {
  std::vector<std::string> words = line.empty() ? arguments : tokenize(line);
  std::erase(words, "");
  return words;
}

bool CompileDatabase::is_cuda(const std::string &path, const Commands &commands) {
  return is_cuda_source(path) || std::ranges::any_of(commands, [](const Command &command) {
           return names_cuda(OptionsFiles(command.directory).expand(command.words()));
         });
}

std::vector<std::string> CompileDatabase::cuda_files() const {
  std::vector<std::string> found;
  for (const auto &[path, commands] : files)
    if (is_cuda(path, commands))
      found.push_back(path);
  return found;
}

std::vector<std::string> CompileDatabase::host_files() const {
  constexpr std::array<std::string_view, 5> kEnds{".cpp", ".cc", ".cxx", ".C", ".c++"};
  std::vector<std::string> found;
  for (const auto &[path, commands] : files)
    if (std::ranges::any_of(kEnds, [&](std::string_view end) { return path.ends_with(end); }) &&
        !is_cuda(path, commands))
      found.push_back(path);
  return found;
}

std::optional<CompileDatabase::Entry> CompileDatabase::find(const std::string &file) const {
  const auto found = files.find(normalise_path(file));
  if (found == files.end())
    return std::nullopt;
  const auto &[path, commands] = *found;
  Entry entry;
  entry.flags = flags_of_command(commands.front().words(), commands.front().directory, path);
  entry.ambiguous = std::any_of(std::next(commands.begin()), commands.end(), [&](const Command &other) {
    return flags_of_command(other.words(), other.directory, found->first) != entry.flags;
  });
  return entry;
}

std::string CompileDatabase::includer_of(const std::string &header) const {
  const std::string wanted = normalise_path(header);
  const llvm::StringRef name = llvm::sys::path::filename(wanted);
  for (const auto &[path, commands] : files) {
    std::string wrong;
    const std::optional<std::string> text = sinks::read_file(path, wrong);
    if (!text || !llvm::StringRef(*text).contains(name))
      continue;
    // Beside the file, or in one of its include folders.
    std::vector<std::string> folders{fs::path(path).parent_path().string()};
    const Entry entry = *find(path);
    for (const std::string_view folder : include_folders(entry.flags))
      folders.emplace_back(folder);
    for (const IncludedName &included : included_names(*text)) {
      if (llvm::sys::path::filename(included.name) != name)
        continue;
      for (const std::string &folder : folders)
        if (normalise_path(included.name, folder) == wanted)
          return path;
    }
  }
  return {};
}

} // namespace smem
