#include "lsp/serve.h"

#include "lsp/input.h"
#include "lsp/server.h"

#include <fcntl.h>
#include <unistd.h>

#include <llvm/Support/raw_ostream.h>
#include <mlir/Tools/lsp-server-support/Logging.h>

namespace smem::lsp {

int serve(const std::vector<std::string> &arguments) {
  // The client reads nothing but messages: what anything else would print goes to standard error.
  const int messages = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (messages < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return 2;
  llvm::raw_fd_ostream out(messages, /*shouldClose=*/true);
  mlir::lsp::Logger::setLogLevel(mlir::lsp::Logger::Level::Error);
  Input input(STDIN_FILENO);
  mlir::lsp::JSONTransport transport(input.stream(), out);
  mlir::lsp::MessageHandler handler(transport);
  Server server(handler, input, arguments);
  if (llvm::Error error = transport.run(handler))
    llvm::consumeError(std::move(error)); // the client is gone
  out.clear_error();
  return server.shut_down() ? 0 : 1;
}

} // namespace smem::lsp
