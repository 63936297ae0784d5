#!/usr/bin/env bash
# in_repository.sh COMMAND KERNEL: runs the command in a git repository of its own that has the kernel as transpose.cu. For docs/review.md.
set -euo pipefail
kernel=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$kernel" transpose.cu
cp "$(dirname "$kernel")/catalogue.h" .
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
git init -q
git add -A
git commit -q -m kernel
bash -c "$1" || true
