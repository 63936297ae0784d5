// The language server: documents that are open, what is known of them, and the answers to requests.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <mlir/Tools/lsp-server-support/Transport.h>

#include "lsp/answers.h"
#include "lsp/input.h"
#include "lsp/scheduler.h"

namespace smem::lsp {

/// Parameters or results that are looked at as JSON.
struct Anything {
  llvm::json::Value value = nullptr;
};
bool fromJSON(const llvm::json::Value &value, Anything &result, llvm::json::Path path);

class Server {
public:
  /// `arguments`: those of every analysis. Registers its methods with the handler, which must outlive it.
  Server(protocol::MessageHandler &handler, const Input &input, std::vector<std::string> arguments);
  ~Server();

  bool shut_down() const { return shut_down_; } ///< the client has said so

private:
  using Value = llvm::json::Value;
  using Reply = protocol::Callback<Value>;

  struct Document;
  /// A request that is answered once its document is analysed.
  struct Held {
    Value id;
    bool needs_fixes = false;
    std::function<Value(const Document &)> answer;
    std::shared_ptr<Reply> reply;
  };
  struct Document {
    protocol::URIForFile uri;
    std::string path;
    Text text;
    std::int64_t version = 0; ///< the client's
    std::int64_t changes = 0; ///< of this server: a new one for everything that makes an analysis outdated
    bool analysed = true;     ///< it is CUDA; of others the text matters only where they are included
    bool unsaved = false;
    std::optional<View> view;
    std::int64_t of_change = -1; ///< what `view` is of
    bool fixes_known = false;    ///< `view` has those that there are
    std::vector<Held> held;

    bool current() const { return view && of_change == changes; }
  };

  // Requests and notifications, by the reader's thread.
  void initialize(const Anything &params, Reply reply);
  void initialized(const protocol::NoParams &);
  void shutdown(const protocol::NoParams &, Reply reply);
  void no_message(const Anything &params, Reply reply);
  void cancel(const Anything &params);
  void set_configuration(const Anything &params);
  void watched_files_changed(const Anything &params);
  void open(const protocol::DidOpenTextDocumentParams &params);
  void change(const protocol::DidChangeTextDocumentParams &params);
  void save(const Anything &params);
  void close(const protocol::DidCloseTextDocumentParams &params);
  void hover(const protocol::TextDocumentPositionParams &params, Reply reply);
  void inlay_hints(const protocol::InlayHintsParams &params, Reply reply);
  void code_lenses(const Anything &params, Reply reply);
  void code_actions(const protocol::CodeActionParams &params, Reply reply);

  // By the scheduler's thread.
  std::optional<Prepared> prepare(const std::string &path, Pass pass);
  void slow(const std::string &path, Pass pass);
  void done(const std::string &path, Pass pass, std::int64_t version, const std::string &output,
            const std::string &errors, bool slow);

  // With `mutex_` held.
  bool refuses(Reply &reply) const; ///< replies with an error, outside of a session
  Document *find(const protocol::URIForFile &uri);
  void hold(Document *document, Reply reply, bool needs_fixes, std::function<Value(const Document &)> answer);
  void answer_held(Document &document);
  void refuse_held(Document &document);
  /// Something has made the analysis outdated.
  void outdate(Document &document, Clock::duration delay);
  void outdate_all();
  void outdate_readers_of(const std::string &path, Clock::duration delay);
  void publish(const std::string &main, std::map<std::string, llvm::json::Array> diagnostics);
  const Text &text_of(const std::string &path);
  std::string uri_of(const std::string &path);
  FileTexts files();
  void complain(const std::vector<std::string> &complaints);

  const Input &input_;
  const std::vector<std::string> arguments_;
  std::mutex mutex_;
  ClientSettings settings_;
  bool initialized_ = false, shut_down_ = false;
  bool progress_ = false, watches_ = false;   ///< the client can
  std::map<std::string, Document> documents_; ///< by normalised path
  std::map<std::string, std::map<std::string, llvm::json::Array>>
      published_;                       ///< by file, then by the document that it is of
  std::map<std::string, Text> on_disk_; ///< while something is answered
  std::int64_t next_change_ = 0, next_id_ = 0;
  std::map<std::string, std::string> progress_tokens_; ///< by document

  protocol::OutgoingNotification<Value> publish_, progress_report_, log_;
  protocol::OutgoingRequest<Value> create_progress_, register_;
  std::unique_ptr<Scheduler> scheduler_; ///< last: its thread uses all of these
};

} // namespace smem::lsp
