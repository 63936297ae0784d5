"""The include folders that somebody finds who adds -I until a file's own repository has what it includes; the C++ that its build files ask for.

For each `#include` that is neither beside its file nor in a folder of the system or the toolkit, the repository is searched for a file whose path
ends in what is included; of several the one nearest to the including file is taken, and the folder that makes the path fit becomes an -I. The
same for what was found, so that a header that includes others brings their folders. A folder whose headers would hide the toolkit's is not taken.
Nothing is generated, downloaded or defined.
"""
import collections
import functools
import os
import pathlib
import re

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)
HEADERS = (".h", ".hpp", ".cuh", ".hxx", ".hh", ".inl", ".inc", ".cu", ".c", ".cpp", ".cc", ".def", ".impl", ".ipp", ".tpp", ".txx", "")
MOST_FILES = 3000  # that one file reaches


class Repository:
    def __init__(self, root):
        self.root = str(root)
        self.by_name = collections.defaultdict(list)
        self.texts = {}
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            for name in files:
                if os.path.splitext(name)[1] in HEADERS:
                    self.by_name[name].append(os.path.relpath(os.path.join(folder, name), self.root))

    def includes(self, path):
        """(quoted, name) of each #include in a file."""
        if path not in self.texts:
            try:
                text = pathlib.Path(self.root, path).read_text(errors="replace")
            except OSError:
                text = ""
            self.texts[path] = [(quote == '"', name.strip()) for quote, name in INCLUDE.findall(text)]
        return self.texts[path]

    def find(self, name, near):
        """The file whose path ends in `name` and that is nearest to the file `near`, and the folder to include."""
        tail = os.path.normpath(name)
        if tail.startswith(".."):
            return None
        found = [path for path in self.by_name[os.path.basename(tail)] if path == tail or path.endswith("/" + tail)]
        if not found:
            return None

        def distance(path):
            return len(pathlib.PurePath(os.path.relpath(os.path.dirname(path) or ".", os.path.dirname(near) or ".")).parts), path
        best = min(found, key=distance)
        return best, best[:len(best) - len(tail)].rstrip("/")


@functools.cache
def hides(folder, toolkit):
    """Whether a header of the folder has the name of one of the toolkit's."""
    return any(name.endswith((".h", ".hpp")) and os.path.isfile(os.path.join(other, name)) for name in os.listdir(folder) for other in toolkit)


STANDARD = re.compile(r"CUDA_STANDARD[\s\"']+(\d\d)\b|-std=(?:c|gnu)\+\+(\d[\da])\b|\bcuda_std_(\d\d)\b|CXX_STANDARD[\s\"']+(\d\d)\b")
BUILD_FILES = re.compile(r"^(CMakeLists\.txt|.*\.cmake|[Mm]akefile|.*\.mk|setup\.py)$")


def standard(root):
    """The flag for the newest C++ that the build files of the repository's first two levels name, where that is newer than nvcc's default of 17."""
    newest = 17
    for folder, folders, files in os.walk(root):
        depth = 0 if folder == str(root) else os.path.relpath(folder, root).count("/") + 1
        folders[:] = [] if depth >= 1 else [f for f in folders if not f.startswith(".")]
        for name in files:
            if BUILD_FILES.match(name):
                for found in STANDARD.findall(pathlib.Path(folder, name).read_text(errors="replace")):
                    newest = max(newest, {"2a": 20, "1z": 17}.get("".join(found), 0) or (int("".join(found)) if "".join(found).isdigit() and int("".join(found)) < 90 else 0))
    return [f"-std=c++{min(newest, 20)}"] if newest > 17 else []


def include_folders(repository, path, system, toolkit=()):
    """Folders, relative to the repository, in the order in which they are needed; `system` and `toolkit` have folders of headers that need no -I."""
    folders, seen, queue = [], {path}, collections.deque([path])
    while queue and len(seen) < MOST_FILES:
        at = queue.popleft()
        for quoted, name in repository.includes(at):
            beside = os.path.normpath(os.path.join(os.path.dirname(at), name))
            if quoted and not beside.startswith("..") and os.path.isfile(os.path.join(repository.root, beside)):
                target = beside
            elif any(os.path.isfile(os.path.join(folder, name)) for folder in (*system, *toolkit)):
                continue
            else:
                known = next((f for f in folders if os.path.isfile(os.path.join(repository.root, f, name))), None)
                if known is not None:
                    target = os.path.normpath(os.path.join(known, name))
                else:
                    found = repository.find(name, at)
                    if not found:
                        continue
                    target, folder = found
                    if hides(os.path.join(repository.root, folder), toolkit):
                        continue
                    folders.append(folder or ".")
            if target not in seen:
                seen.add(target)
                queue.append(target)
    return folders
