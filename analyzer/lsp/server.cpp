#include "lsp/server.h"

#include "lsp/actions.h"
#include "sinks/files.h"
#include "support/paths.h"

#include <algorithm>

namespace smem::lsp {

using llvm::json::Array;
using llvm::json::Object;

bool fromJSON(const llvm::json::Value &value, Anything &result, llvm::json::Path) {
  result.value = value;
  return true;
}

namespace {

// The typist may go on.
constexpr std::chrono::milliseconds kBeforeRaces{50}, kBeforeFixes{250};
constexpr const char *kSection = "smem-lint";

llvm::Error error_of(protocol::ErrorCode code, std::string message) {
  return llvm::make_error<protocol::LSPError>(std::move(message), code);
}

const Object *object_of(const llvm::json::Value &value, std::initializer_list<llvm::StringRef> keys) {
  const Object *object = value.getAsObject();
  for (const llvm::StringRef key : keys)
    object = object ? object->getObject(key) : nullptr;
  return object;
}

bool says(const llvm::json::Value &value, std::initializer_list<llvm::StringRef> keys, llvm::StringRef key) {
  const Object *object = object_of(value, keys);
  return object && object->getBoolean(key).value_or(false);
}

bool is_cuda(const std::string &path, const std::string &language) {
  return language == "cuda" || language == "cuda-cpp" || path.ends_with(".cu") || path.ends_with(".cuh");
}

std::optional<protocol::URIForFile> document_of(const llvm::json::Value &params) {
  const Object *document = object_of(params, {"textDocument"});
  const std::optional<llvm::StringRef> uri = document ? document->getString("uri") : std::nullopt;
  if (!uri)
    return std::nullopt;
  llvm::Expected<protocol::URIForFile> file = protocol::URIForFile::fromURI(*uri);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  return *file;
}

/// The last thing that an analysis without a result has said.
std::string last_line(const std::string &errors) {
  const llvm::StringRef text = llvm::StringRef(errors).rtrim();
  const llvm::StringRef line = text.substr(text.rfind('\n') == llvm::StringRef::npos ? 0 : text.rfind('\n') + 1);
  return line.empty() ? "its analysis ended without a result" : line.str();
}

View without_result(const std::string &errors) {
  View view;
  view.problems.push_back({{}, "error", "not analysed: " + last_line(errors), true});
  return view;
}

} // namespace

Server::Server(protocol::MessageHandler &handler, const Input &input, std::vector<std::string> arguments)
    : input_(input), arguments_(std::move(arguments)),
      publish_(handler.outgoingNotification<Value>("textDocument/publishDiagnostics")),
      progress_report_(handler.outgoingNotification<Value>("$/progress")),
      log_(handler.outgoingNotification<Value>("window/logMessage")),
      create_progress_(handler.outgoingRequest<Value, Anything>(
          "window/workDoneProgress/create",
          [](Value, llvm::Expected<Anything> result) { llvm::consumeError(result.takeError()); })),
      register_(handler.outgoingRequest<Value, Anything>(
          "client/registerCapability",
          [](Value, llvm::Expected<Anything> result) { llvm::consumeError(result.takeError()); })) {
  handler.method("initialize", this, &Server::initialize);
  handler.notification("initialized", this, &Server::initialized);
  handler.method("shutdown", this, &Server::shutdown);
  handler.method(kNoMessage, this, &Server::no_message);
  handler.notification("$/cancelRequest", this, &Server::cancel);
  handler.notification("workspace/didChangeConfiguration", this, &Server::set_configuration);
  handler.notification("workspace/didChangeWatchedFiles", this, &Server::watched_files_changed);
  handler.notification("textDocument/didOpen", this, &Server::open);
  handler.notification("textDocument/didChange", this, &Server::change);
  handler.notification("textDocument/didSave", this, &Server::save);
  handler.notification("textDocument/didClose", this, &Server::close);
  handler.method("textDocument/hover", this, &Server::hover);
  handler.method("textDocument/inlayHint", this, &Server::inlay_hints);
  handler.method("textDocument/codeLens", this, &Server::code_lenses);
  handler.method("textDocument/codeAction", this, &Server::code_actions);
  scheduler_ = std::make_unique<Scheduler>(SchedulerCalls{
      [this](const std::string &path, Pass pass) { return prepare(path, pass); },
      [this](const std::string &path, Pass pass) { slow(path, pass); },
      [this](const std::string &path, Pass pass, std::int64_t version, const std::string &output,
             const std::string &errors, bool slow) { done(path, pass, version, output, errors, slow); }});
}

Server::~Server() { scheduler_.reset(); }

bool Server::refuses(Reply &reply) const {
  if (shut_down_)
    reply(error_of(protocol::ErrorCode::InvalidRequest, "the server is shut down"));
  else if (!initialized_)
    reply(error_of(protocol::ErrorCode::ServerNotInitialized, "the server is not initialized"));
  return shut_down_ || !initialized_;
}

void Server::initialize(const Anything &params, Reply reply) {
  const std::lock_guard lock(mutex_);
  if (initialized_ || shut_down_)
    return reply(error_of(protocol::ErrorCode::InvalidRequest, "the server is initialized already"));
  if (!params.value.getAsObject())
    return reply(error_of(protocol::ErrorCode::InvalidParams, "initialize needs an object"));
  initialized_ = true;
  progress_ = says(params.value, {"capabilities", "window"}, "workDoneProgress");
  watches_ = says(params.value, {"capabilities", "workspace", "didChangeWatchedFiles"}, "dynamicRegistration");
  if (const Object *options = object_of(params.value, {"initializationOptions"})) {
    std::vector<std::string> complaints;
    read_settings(*options, settings_, complaints);
    complain(complaints);
  }
  reply(Object{
      {"serverInfo", Object{{"name", "smem-lint"}}},
      {"capabilities",
       Object{{"positionEncoding", "utf-16"},
              {"textDocumentSync", Object{{"openClose", true},
                                          {"change", static_cast<int>(protocol::TextDocumentSyncKind::Incremental)},
                                          {"save", Object{{"includeText", false}}}}},
              {"hoverProvider", true},
              {"inlayHintProvider", true},
              {"codeLensProvider", Object{{"resolveProvider", false}}},
              {"codeActionProvider", Object{{"codeActionKinds", Array{"quickfix", "refactor"}}}}}}});
}

void Server::initialized(const protocol::NoParams &) {
  const std::lock_guard lock(mutex_);
  if (!initialized_ || !watches_)
    return;
  Array watchers;
  for (const char *glob : {"**/compile_commands.json", "**/.smem-lint.yaml", "**/*.{cu,cuh,h,hpp,inl}"})
    watchers.push_back(Object{{"globPattern", glob}});
  register_(Object{{"registrations", Array{Object{{"id", "smem-lint-files"},
                                                  {"method", "workspace/didChangeWatchedFiles"},
                                                  {"registerOptions", Object{{"watchers", std::move(watchers)}}}}}}},
            ++next_id_);
}

void Server::shutdown(const protocol::NoParams &, Reply reply) {
  const std::lock_guard lock(mutex_);
  if (refuses(reply))
    return;
  shut_down_ = true;
  for (auto &[path, document] : documents_) {
    scheduler_->drop(path);
    refuse_held(document);
  }
  reply(nullptr);
}

void Server::no_message(const Anything &params, Reply reply) {
  const Object *object = params.value.getAsObject();
  const auto code = static_cast<protocol::ErrorCode>(object ? object->getInteger("code").value_or(-32600) : -32600);
  reply(error_of(code, object ? object->getString("message").value_or("").str() : std::string()));
}

void Server::cancel(const Anything &params) {
  const std::lock_guard lock(mutex_);
  const Object *object = params.value.getAsObject();
  const Value *id = object ? object->get("id") : nullptr;
  if (!id)
    return;
  for (auto &[path, document] : documents_)
    std::erase_if(document.held, [&](Held &held) {
      if (held.id != *id)
        return false;
      (*held.reply)(error_of(protocol::ErrorCode::RequestCancelled, "cancelled"));
      return true;
    });
}

void Server::complain(const std::vector<std::string> &complaints) {
  for (const std::string &complaint : complaints)
    log_(Object{{"type", 2}, {"message", "smem-lint: setting " + complaint}});
}

void Server::set_configuration(const Anything &params) {
  const std::lock_guard lock(mutex_);
  const Object *given = object_of(params.value, {"settings"});
  if (const Object *section = given ? given->getObject(kSection) : nullptr)
    given = section;
  if (!given || !initialized_ || shut_down_)
    return;
  std::vector<std::string> complaints;
  read_settings(*given, settings_, complaints);
  complain(complaints);
  outdate_all();
}

void Server::watched_files_changed(const Anything &params) {
  const std::lock_guard lock(mutex_);
  const Object *object = params.value.getAsObject();
  const Array *changes = object ? object->getArray("changes") : nullptr;
  if (!changes || !initialized_ || shut_down_)
    return;
  for (const Value &one : *changes) {
    const Object *change = one.getAsObject();
    llvm::Expected<protocol::URIForFile> uri =
        protocol::URIForFile::fromURI(change ? change->getString("uri").value_or("") : "");
    if (!uri) {
      llvm::consumeError(uri.takeError());
      continue;
    }
    const std::string path = normalise_path(uri->file().str());
    if (path.ends_with("/compile_commands.json") || path.ends_with("/.smem-lint.yaml"))
      return outdate_all();
    if (!documents_.contains(path))
      outdate_readers_of(path, settings_.delay);
  }
}

Server::Document *Server::find(const protocol::URIForFile &uri) {
  const auto found = documents_.find(normalise_path(uri.file().str()));
  return found == documents_.end() ? nullptr : &found->second;
}

void Server::open(const protocol::DidOpenTextDocumentParams &params) {
  const std::lock_guard lock(mutex_);
  if (!initialized_ || shut_down_)
    return;
  const protocol::TextDocumentItem &item = params.textDocument;
  const std::string path = normalise_path(item.uri.file().str());
  Document &document = documents_[path];
  refuse_held(document); // opened twice
  std::string wrong;
  const bool saved = sinks::read_file(path, wrong) == std::optional<std::string>(item.text);
  document.uri = item.uri;
  document.path = path;
  document.text = Text(item.text);
  document.version = item.version;
  document.analysed = is_cuda(path, item.languageId);
  document.unsaved = !saved;
  outdate(document, Clock::duration::zero());
  if (!saved)
    outdate_readers_of(path, Clock::duration::zero());
}

void Server::change(const protocol::DidChangeTextDocumentParams &params) {
  const std::lock_guard lock(mutex_);
  Document *document = shut_down_ ? nullptr : find(params.textDocument.uri);
  if (!document)
    return;
  for (const protocol::TextDocumentContentChangeEvent &change : params.contentChanges)
    document->text.apply(change);
  document->version = params.textDocument.version;
  document->unsaved = true;
  if (settings_.while_typing) {
    outdate(*document, settings_.delay);
    outdate_readers_of(document->path, settings_.delay);
    return;
  }
  // What was found is about another text; the next one comes with the file.
  document->changes = ++next_change_;
  scheduler_->drop(document->path);
  refuse_held(*document);
}

void Server::save(const Anything &params) {
  const std::lock_guard lock(mutex_);
  const std::optional<protocol::URIForFile> uri = document_of(params.value);
  Document *document = uri && !shut_down_ ? find(*uri) : nullptr;
  if (!document)
    return;
  document->unsaved = false;
  if (!document->current())
    outdate(*document, Clock::duration::zero());
  // The disk may have what no editor has told: headers, a database, a configuration.
  for (auto &[path, other] : documents_)
    if (&other != document)
      outdate(other, settings_.delay);
}

void Server::close(const protocol::DidCloseTextDocumentParams &params) {
  const std::lock_guard lock(mutex_);
  Document *document = find(params.textDocument.uri);
  if (!document)
    return;
  const std::string path = document->path;
  scheduler_->drop(path);
  refuse_held(*document);
  if (!shut_down_)
    publish(path, {});
  const bool unsaved = document->unsaved;
  documents_.erase(path);
  if (unsaved && !shut_down_)
    outdate_readers_of(path, settings_.delay);
}

void Server::outdate(Document &document, Clock::duration delay) {
  document.changes = ++next_change_;
  refuse_held(document);
  if (document.analysed)
    scheduler_->schedule(document.path, delay, Pass::Costs);
}

void Server::outdate_all() {
  for (auto &[path, document] : documents_)
    outdate(document, settings_.delay);
}

void Server::outdate_readers_of(const std::string &path, Clock::duration delay) {
  for (auto &[other, document] : documents_)
    if (other != path && document.analysed && (!document.view || document.view->read.contains(path)))
      outdate(document, delay);
}

void Server::hold(Document *document, Reply reply, bool needs_fixes, std::function<Value(const Document &)> answer) {
  if (!document)
    return reply(error_of(protocol::ErrorCode::InvalidParams, "the document is not open"));
  if (!document->analysed)
    return reply(nullptr);
  document->held.push_back({input_.id(), needs_fixes, std::move(answer), std::make_shared<Reply>(std::move(reply))});
  answer_held(*document);
}

void Server::answer_held(Document &document) {
  if (!document.current())
    return;
  std::vector<Held> later;
  for (Held &held : document.held) {
    if (held.needs_fixes && !document.fixes_known)
      later.push_back(std::move(held));
    else
      (*held.reply)(held.answer(document));
  }
  document.held = std::move(later);
  on_disk_.clear();
}

void Server::refuse_held(Document &document) {
  for (Held &held : std::exchange(document.held, {}))
    (*held.reply)(error_of(protocol::ErrorCode::ContentModified, "the document has changed"));
}

void Server::hover(const protocol::TextDocumentPositionParams &params, Reply reply) {
  const std::lock_guard lock(mutex_);
  if (refuses(reply))
    return;
  hold(find(params.textDocument.uri), std::move(reply), false, [position = params.position](const Document &document) {
    return hover_at(*document.view, document.path, document.text, position);
  });
}

void Server::inlay_hints(const protocol::InlayHintsParams &params, Reply reply) {
  const std::lock_guard lock(mutex_);
  if (refuses(reply))
    return;
  hold(find(params.textDocument.uri), std::move(reply), false, [this, range = params.range](const Document &document) {
    return hints_in(*document.view, document.path, document.text, range, settings_);
  });
}

void Server::code_lenses(const Anything &params, Reply reply) {
  const std::lock_guard lock(mutex_);
  if (refuses(reply))
    return;
  const std::optional<protocol::URIForFile> uri = document_of(params.value);
  if (!uri)
    return reply(error_of(protocol::ErrorCode::InvalidParams, "codeLens needs a document of a file"));
  if (!settings_.code_lens)
    return reply(Array{});
  hold(find(*uri), std::move(reply), false,
       [](const Document &document) { return lenses_of(*document.view, document.path, document.text); });
}

void Server::code_actions(const protocol::CodeActionParams &params, Reply reply) {
  const std::lock_guard lock(mutex_);
  if (refuses(reply))
    return;
  Document *document = find(params.textDocument.uri);
  // Where the findings are known already, so is whether fixes have to be waited for.
  const bool needs_fixes = settings_.fixes && document &&
                           (!document->current() || may_have_fixes(*document->view, document->path, params.range));
  hold(document, std::move(reply), needs_fixes,
       [this, range = params.range, only = params.context.only](const Document &of) {
         return actions_for(*of.view, of.path, range, only, files());
       });
}

const Text &Server::text_of(const std::string &path) {
  if (const auto open = documents_.find(path); open != documents_.end())
    return open->second.text;
  const auto known = on_disk_.find(path);
  if (known != on_disk_.end())
    return known->second;
  std::string wrong;
  return on_disk_.emplace(path, Text(sinks::read_file(path, wrong).value_or(""))).first->second;
}

std::string Server::uri_of(const std::string &path) {
  if (const auto open = documents_.find(path); open != documents_.end())
    return open->second.uri.uri().str();
  llvm::Expected<protocol::URIForFile> uri = protocol::URIForFile::fromFile(path);
  if (uri)
    return uri->uri().str();
  llvm::consumeError(uri.takeError());
  return {};
}

FileTexts Server::files() {
  return {[this](const std::string &path) -> const Text & { return text_of(path); },
          [this](const std::string &path) { return uri_of(path); }};
}

void Server::publish(const std::string &main, std::map<std::string, Array> diagnostics) {
  std::set<std::string> touched;
  for (auto &[file, by_main] : published_)
    if (by_main.erase(main))
      touched.insert(file);
  for (auto &[file, list] : diagnostics) {
    touched.insert(file);
    published_[file][main] = std::move(list);
  }
  for (const std::string &file : touched) {
    Array all; // what several units say of a header is said once
    for (const auto &[by, list] : published_[file]) {
      // What others have said of it may be about a text that it no longer has; they say it anew.
      if (const auto other = documents_.find(by); by != main && other != documents_.end() && !other->second.current())
        continue;
      for (const Value &one : list)
        if (std::ranges::find(all, one) == all.end())
          all.push_back(one);
    }
    if (published_[file].empty())
      published_.erase(file);
    const std::string uri = uri_of(file);
    if (uri.empty())
      continue;
    Object params{{"uri", uri}, {"diagnostics", std::move(all)}};
    if (const auto open = documents_.find(file); open != documents_.end())
      params["version"] = open->second.version;
    publish_(std::move(params));
  }
}

std::optional<Prepared> Server::prepare(const std::string &path, Pass pass) {
  const std::lock_guard lock(mutex_);
  const auto found = documents_.find(path);
  if (found == documents_.end() || shut_down_)
    return std::nullopt;
  Prepared prepared;
  prepared.version = found->second.changes;
  prepared.arguments = {"--for-editor", "--quiet"};
  if (pass == Pass::Costs)
    prepared.arguments.push_back("--without-races");
  else if (pass == Pass::Fixes)
    prepared.arguments.push_back("--suggest-fixes");
  prepared.arguments.insert(prepared.arguments.end(), settings_.arguments.begin(), settings_.arguments.end());
  const auto flags = std::ranges::find(arguments_, "--");
  prepared.arguments.insert(prepared.arguments.end(), arguments_.begin(), flags);
  prepared.arguments.push_back(path);
  prepared.arguments.insert(prepared.arguments.end(), flags, arguments_.end());
  Object texts;
  for (const auto &[other, document] : documents_)
    if (document.unsaved)
      texts[other] = llvm::json::fixUTF8(document.text.contents());
  llvm::raw_string_ostream stream(prepared.input);
  stream << Value(std::move(texts));
  return prepared;
}

void Server::slow(const std::string &path, Pass pass) {
  const std::lock_guard lock(mutex_);
  if (!progress_ || shut_down_)
    return;
  std::string &token = progress_tokens_[path];
  if (!token.empty())
    return;
  token = "smem-lint/" + std::to_string(++next_id_);
  create_progress_(Object{{"token", token}}, ++next_id_);
  progress_report_(Object{{"token", token},
                          {"value", Object{{"kind", "begin"},
                                           {"title", pass == Pass::Fixes   ? "smem-lint: proving fixes"
                                                     : pass == Pass::Races ? "smem-lint: looking for races"
                                                                           : "smem-lint: analysing"},
                                           {"message", path.substr(path.rfind('/') + 1)}}}});
}

void Server::done(const std::string &path, Pass pass, std::int64_t version, const std::string &output,
                  const std::string &errors, bool slow) {
  std::optional<View> view;
  if (version >= 0)
    view = parse_view(output);
  const std::lock_guard lock(mutex_);
  if (slow)
    if (const auto token = progress_tokens_.find(path); token != progress_tokens_.end()) {
      progress_report_(Object{{"token", token->second}, {"value", Object{{"kind", "end"}}}});
      progress_tokens_.erase(token);
    }
  const auto found = documents_.find(path);
  if (found == documents_.end() || found->second.changes != version || shut_down_)
    return;
  Document &document = found->second;
  if (view || pass == Pass::Costs) { // what was found before stays where a later pass fails
    document.view = view ? std::move(*view) : without_result(errors);
    document.of_change = version;
  }
  const bool wants_fixes = settings_.fixes && std::ranges::any_of(document.view->findings, [](const ViewFinding &one) {
                             return one.rule == "smem-bank-conflict";
                           });
  document.fixes_known = pass == Pass::Fixes || !wants_fixes || !document.view->parsed;
  publish(path, diagnostics_of(*document.view, path, settings_, files()));
  answer_held(document);
  if (pass == Pass::Costs && document.view->parsed && !document.view->kernels.empty())
    scheduler_->schedule(path, kBeforeRaces, Pass::Races);
  else if (pass == Pass::Races && !document.fixes_known)
    scheduler_->schedule(path, kBeforeFixes, Pass::Fixes);
}

} // namespace smem::lsp
