#include "driver/compile_database.h"

#include "source/paths.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/StringSaver.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace smem {
namespace fs = std::filesystem;
namespace {

constexpr const char *kFileName = "compile_commands.json";

/// Flags whose value names something to read, either glued to the flag or in the next argument.
constexpr std::array<std::string_view, 15> kPathFlags{
    "--include-path",  "--system-include", "--pre-include", "--options-file", "-idirafter", "-isystem", "-include-pch", "-imacros",
    "-include", "-iquote", "-isysroot", "--sysroot", "-optf", "-I", "-F"};

/// Flags that speak of outputs and dependency files, and take a value.
constexpr std::array<std::string_view, 9> kOutputFlags{"-o", "--output-file", "-MF", "-MT", "-MQ", "-MJ", "-odir", "--output-directory",
                                                       "--serialize-diagnostics"};

constexpr std::array<std::string_view, 12> kOutputSwitches{"-c",  "-dc", "-dw", "--device-c", "--compile", "-MD",
                                                           "-MMD", "-MP", "-M",  "-ptx",       "-cubin",    "-S"};

template <std::size_t N> bool contains(const std::array<std::string_view, N> &set, std::string_view word) {
  return std::find(set.begin(), set.end(), word) != set.end();
}

std::string absolute(std::string_view path, const std::string &directory) {
  return path.empty() || path.front() == '=' || path.front() == '/' ? std::string(path) : normalise_path(path, directory);
}

std::vector<std::string> tokenize(llvm::StringRef command) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 64> words;
  llvm::cl::TokenizeGNUCommandLine(command, saver, words);
  return {words.begin(), words.end()};
}

} // namespace

std::vector<std::string> flags_of_command(const std::vector<std::string> &arguments, const std::string &directory,
                                          const std::string &source) {
  std::vector<std::string> flags;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument == "--")
      break;
    if (contains(kOutputFlags, argument)) {
      ++i;
      continue;
    }
    if (contains(kOutputSwitches, argument) || (argument.starts_with("-o") && argument.size() > 2 && argument.find('/') != std::string::npos))
      continue;
    if (argument.front() != '-') {
      if (normalise_path(argument, directory) != source)
        flags.push_back(argument); // the value of a flag that is not known here
      continue;
    }
    const auto flag = std::find_if(kPathFlags.begin(), kPathFlags.end(), [&](std::string_view name) { return argument.starts_with(name); });
    if (flag == kPathFlags.end()) {
      flags.push_back(argument);
    } else if (argument.size() == flag->size()) {
      flags.push_back(argument);
      if (i + 1 < arguments.size())
        flags.push_back(absolute(arguments[++i], directory));
    } else {
      const std::size_t value = flag->size() + (argument[flag->size()] == '=' ? 1 : 0);
      flags.push_back(argument.substr(0, value) + absolute(std::string_view(argument).substr(value), directory));
    }
  }
  return flags;
}

std::string CompileDatabase::find_above(const std::string &file) {
  std::error_code error;
  for (fs::path folder = fs::path(normalise_path(file)).parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / kFileName, error))
      return (folder / kFileName).string();
    if (folder == folder.root_path())
      break;
  }
  return {};
}

std::optional<CompileDatabase> CompileDatabase::load(const std::string &path, std::string &error) {
  std::error_code code;
  const std::string file = fs::is_directory(path, code) ? (fs::path(path) / kFileName).string() : path;
  const auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) {
    error = "cannot read " + file + ": " + buffer.getError().message();
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*buffer)->getBuffer());
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
  for (const llvm::json::Value &value : *entries) {
    const llvm::json::Object *entry = value.getAsObject();
    const auto source = entry ? entry->getString("file") : std::nullopt;
    if (!source)
      continue;
    const std::string directory = entry->getString("directory").value_or("").str();
    std::vector<std::string> arguments;
    if (const llvm::json::Array *list = entry->getArray("arguments")) {
      for (const llvm::json::Value &argument : *list)
        arguments.push_back(argument.getAsString().value_or("").str());
    } else if (const auto command = entry->getString("command")) {
      arguments = tokenize(*command);
    }
    arguments.erase(std::remove(arguments.begin(), arguments.end(), ""), arguments.end());
    const std::string absolute_source = normalise_path(source->str(), directory);
    database.flags.emplace(absolute_source, flags_of_command(arguments, directory, absolute_source));
  }
  return database;
}

const std::vector<std::string> *CompileDatabase::flags_for(const std::string &file) const {
  const auto found = flags.find(normalise_path(file));
  return found == flags.end() ? nullptr : &found->second;
}

} // namespace smem
