#!/usr/bin/env bash
# The two commands of the README on a bare machine: Debian 12 with nothing but its minimal base, the committed state of a
# clone, ./bootstrap, then ./bootstrap test. Part of the checks before a release; takes half an hour on two cores.
#
#   sudo tests/release/bare_machine.sh                         what this clone has committed
#   tests/release/bare_machine.sh --engine docker --ref v1.0   in a container, another commit
#
# Exit code 0 only if a finding was printed, every test passed, and none was skipped for want of a package.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)

usage() {
  cat <<'TEXT'
usage: tests/release/bare_machine.sh [options]
  --from URL|DIR   the repository (default: this clone; what is not committed is not taken)
  --ref REF        the commit (default: HEAD)
  --engine NAME    debootstrap: a folder and chroot, needs root; docker, podman: an image (default: the first that works)
  --suite NAME     Debian's suite (default: bookworm)
  --mirror URL     where packages come from (default: this machine's apt sources for the suite, else deb.debian.org)
  --folder DIR     where the system is made (default: a temporary folder; needs 6 GB)
  --log FILE       the whole output, each line with the seconds since its command began (default: bare_machine.log)
  --keep           leave the system in its folder
TEXT
}

from=$here ref=HEAD engine= suite=bookworm mirror= folder= log=bare_machine.log keep=
while [ $# -gt 0 ]; do
  case "$1" in
    --from | --ref | --engine | --suite | --mirror | --folder | --log)
      [ $# -gt 1 ] || { echo "bare_machine: $1 needs a value" >&2; exit 2; }
      declare "${1#--}=$2"
      shift ;;
    --keep) keep=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "bare_machine: unknown argument '$1'" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

fail() { printf 'bare_machine: %s\n' "$*" >&2; exit 2; }
works() { command -v "$1" >/dev/null && "$1" info >/dev/null 2>&1; }

if [ -z "$engine" ]; then
  if [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null; then engine=debootstrap
  elif works podman; then engine=podman
  elif works docker; then engine=docker
  else fail "neither root with debootstrap (apt-get install debootstrap) nor a docker or podman that answers"; fi
fi
case "$engine" in
  debootstrap) [ "$(id -u)" = 0 ] || fail "--engine debootstrap needs root" ;;
  docker | podman) works "$engine" || fail "'$engine info' fails" ;;
  *) fail "no engine '$engine'; there are debootstrap, docker and podman" ;;
esac
if [ -z "$mirror" ] && command -v apt-get >/dev/null; then
  mirror=$(apt-get indextargets --format '$(LABEL) $(CODENAME) $(REPO_URI)' 2>/dev/null | awk -v suite="$suite" '$1 == "Debian" && $2 == suite { print $3; exit }')
fi
mirror=${mirror:-http://deb.debian.org/debian}

made=
[ -n "$folder" ] || { folder=$(mktemp -d); made=yes; }
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
system=$folder/system clone=$folder/clone
[ ! -e "$system" ] && [ ! -e "$clone" ] || fail "$folder has a system or a clone already"
clean() {
  [ -z "$keep" ] || { echo "kept: $folder" >&2; return; }
  rm -rf --one-file-system "$system" "$clone" "$folder/both"
  [ -z "$made" ] || rmdir "$folder"
}
trap clean EXIT

echo "bare_machine: $suite from $mirror by $engine, in $folder" >&2
git clone -q --no-local "$from" "$clone"
git -C "$clone" checkout -q --detach "$ref" 2>/dev/null || git -C "$clone" checkout -q --detach "origin/$ref" || fail "no commit '$ref' in $from"
commit=$(git -C "$clone" rev-parse --short=12 HEAD)

# What runs in there. No variable of this machine's reaches it but those of a proxy.
cat >"$folder/both" <<'TEXT'
cd /smem-lint
timed() { # NAME COMMAND...: output with the seconds since the command began, then its exit code
  local name=$1 start=$SECONDS code
  shift
  "$@" 2>&1 </dev/null | while IFS= read -r line; do printf '%s %5d  %s\n' "$name" $((SECONDS - start)) "$line"; done
  code=${PIPESTATUS[0]}
  printf '%s %5d  exit code %d\n' "$name" $((SECONDS - start)) "$code"
}
. /etc/os-release
printf 'system     0  %s, %d packages, %d cores\n' "$PRETTY_NAME" "$(dpkg-query -f '.\n' -W | wc -l)" "$(nproc)"
timed first ./bootstrap
timed tests ./bootstrap test
# Cases that a test leaves out while it passes: of unittest, of a script that says so, of GoogleTest.
sed -n "s/.*\.\.\. skipped ['\"]\(.*\)['\"]\$/\1/p; s/^skipped: //p; s/^\[  SKIPPED \] //p" build/Testing/Temporary/LastTest.log | sort | uniq -c |
  while read -r times reason; do printf 'skipped    0  %s%s\n' "$reason" "$([ "$times" = 1 ] || echo " ($times cases)")"; done
TEXT

proxies=()
for name in http_proxy https_proxy no_proxy; do [ -z "${!name:-}" ] || proxies+=("$name=${!name}"); done
apt_proxy=
! command -v apt-config >/dev/null || eval "$(apt-config shell apt_proxy Acquire::http::Proxy)"
environment=(env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "${proxies[@]}")

run_debootstrap() {
  debootstrap --variant=minbase "$suite" "$system" "$mirror" >"$folder/debootstrap.log" 2>&1 || { tail "$folder/debootstrap.log" >&2; fail "debootstrap failed"; }
  rm "$folder/debootstrap.log"
  cp /etc/resolv.conf "$system/etc/resolv.conf"
  [ -z "$apt_proxy" ] || echo "Acquire::http::Proxy \"$apt_proxy\";" >"$system/etc/apt/apt.conf.d/90proxy"
  cp -r "$clone" "$system/smem-lint"
  cp "$folder/both" "$system/root/both"
  mkdir -p "$system/dev/pts" "$system/dev/shm"
  # Mounts and processes go with the namespaces.
  unshare --mount --propagation private --pid --fork --kill-child bash -euc '
    mount -t proc proc "$1/proc"
    mount -t devpts devpts "$1/dev/pts"
    mount -t tmpfs tmpfs "$1/dev/shm"
    shift
    exec "$@"' _ "$system" chroot "$system" "${environment[@]}" bash /root/both
}

run_container() {
  "$engine" run --rm -v "$clone:/clone:ro" -v "$folder/both:/root/both:ro" "debian:$suite-slim" \
    sh -c 'sed -i "s|http://deb.debian.org/debian$|$1|" /etc/apt/sources.list.d/debian.sources; shift; cp -r /clone /smem-lint; exec "$@"' _ "$mirror" \
    "${environment[@]}" bash /root/both
}

: >"$log"
if [ "$engine" = debootstrap ]; then run_debootstrap; else run_container; fi | tee "$log" | grep --line-buffered -E '^(system|[a-z]+ +[0-9]+  (.\[1m==>|exit code|.*: warning: |.*tests passed))' || true

# --- Figures and the verdict --------------------------------------------------------------------------------------------
minutes() { [ -z "$1" ] && echo never || printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); }
seconds_of() { awk -v name="$1" -v what="$2" '$1 == name && $0 ~ what { print $2; exit }' "$log"; }
code_of() { sed -n "s/^$1 .*  exit code \([0-9]*\)$/\1/p" "$log"; }

finding=$(seconds_of first ': warning: .*\[smem-')
read -r failed total < <(sed -n 's/.* \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log") || { failed=0 total=0; }
not_run=$(sed -n 's/^tests .* \([^ ]*\) (\(Skipped\|Not Run\|Disabled\))$/\1/p' "$log")
skipped=$(printf '%s' "$not_run" | grep -c . || true)
reasons=$(sed -n 's/^skipped *0  //p' "$log")
# A package cannot mend these: the user is root, there is no GPU, the toolkit is none of Debian's.
wanting=$(printf '%s' "$reasons" | grep -vE '\b(root|GPU|toolkit)\b' || true)

{
  echo
  sed -n 's/^system *0  //p' "$log"
  echo "commit $commit"
  echo "./bootstrap        exit code $(code_of first), first finding after $(minutes "$finding")"
  echo "./bootstrap test   exit code $(code_of tests), $((total - failed - skipped)) passed, $failed failed, $skipped skipped${not_run:+ (${not_run//$'\n'/, })}," \
    "$(minutes "$(seconds_of tests '  exit code ')")"
  echo "cases skipped in tests that pass: ${reasons:-none}"
} | tee -a "$log"

verdict=ok
[ "$(code_of first)" = 0 ] && [ -n "$finding" ] || verdict="failed: ./bootstrap"
[ "$verdict" != ok ] || { [ "$(code_of tests)" = 0 ] && [ "$failed" = 0 ] && [ "$total" != 0 ]; } || verdict="failed: ./bootstrap test"
[ "$verdict" != ok ] || [ -z "$not_run$wanting" ] || verdict="failed: skipped for want of a package: ${not_run//$'\n'/, } ${wanting//$'\n'/, }"
echo "verdict: $verdict" | tee -a "$log"
[ "$verdict" = ok ]
