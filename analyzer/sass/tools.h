// The toolkit's programs: where they are, which version they are of, and the folder that they work in.
#pragma once

#include <string>

namespace smem::compiled {

/// A program of the toolkit: in `toolkit` (its root, may be empty), $CUDA_PATH, $CUDA_HOME, on the path, in /usr/local/cuda, in the copies that
/// Python packages of compilers bring (Triton's, NVIDIA's wheels); empty if it is in none. Folders of the path that are relative are passed over:
/// what they are depends on whose folder smem-lint is run in.
std::string find_cuda_program(const std::string &name, const std::string &toolkit);

/// A folder that goes when it is left.
class Scratch {
public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  bool ok() const { return ok_; }
  const std::string &path() const { return path_; }
  std::string file(const std::string &name) const { return path_ + "/" + name; }

private:
  std::string path_;
  bool ok_ = false;
};

/// "13.0.88"; empty if the program does not say.
std::string version_of(const std::string &program, const Scratch &scratch);

/// What tells one build of a program from another without running it: its place, size and time. Empty if it is not there.
std::string identity_of(const std::string &program);

/// The first lines of what a tool has to say.
std::string excerpt(const std::string &text);

/// What a tool has written to a file; empty if there is none.
std::string contents_of(const std::string &path);

} // namespace smem::compiled
