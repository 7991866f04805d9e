#!/usr/bin/env bash
# A newcomer's first minutes: a machine that has python3, make and git and nothing else, an empty home, a clone, and the README's two commands.
#
#   tests/newcomer.sh                                  make demo, and make test with all tests
#   PYTEST_ARGS="tests/wire" tests/newcomer.sh         make demo, and make test with some
#   NEWCOMER_ROOT=/var/tmp/bare tests/newcomer.sh      the bare root is made there, or used if it is there already, and kept
#
# Needs root, to make the bare root (debootstrap, with the mirror of this machine's apt or NEWCOMER_MIRROR) and to move into it. What runs
# there is an ordinary user. What is committed is cloned, and nothing else. Of this machine the newcomer gets its name resolution and
# whatever pip is told here: where packages come from is a matter of the machine, and no business of the repository.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
python=$(command -v python3)
say() { printf '\n== %s\n' "$*"; }
cannot() { echo "newcomer.sh: $*" >&2; exit 77; } # 77: it was not tried, which is no failure

[ "$(id -u)" = 0 ] || cannot "only root can make a bare root and move into it"
for program in debootstrap git unshare pivot_root; do
  command -v "$program" >/dev/null || cannot "$program is not installed (Debian, Ubuntu: apt-get install $program)"
done

if [ -n "${NEWCOMER_ROOT:-}" ]; then
  root=$NEWCOMER_ROOT
else
  root=$(mktemp -d)
  trap 'rm -rf --one-file-system "$root"' EXIT
fi
mkdir -p "$root"

# -- a bare root: what Debian cannot do without, and the three programs that the README asks for

if [ ! -e "$root/.bare" ]; then
  say "a bare root in $root"
  mirror=${NEWCOMER_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -m 1 '/debian/\?$\|/ubuntu/\?$' || true)}
  [ -n "$mirror" ] || cannot "no mirror is known; name one with NEWCOMER_MIRROR"
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  log=$(mktemp)
  debootstrap --variant=minbase --include=python3,python3-venv,make,git,ca-certificates "$suite" "$root" "$mirror" >"$log" 2>&1 ||
    { tail -n 3 "$log" >&2; cannot "debootstrap has failed; its last lines are above"; }
  rm -f "$log"
  chroot "$root" useradd --create-home --shell /bin/sh newcomer
  touch "$root/.bare"
fi
home=$root/home/newcomer
rm -rf --one-file-system "$home" "$root/repository"
install -d -o 1000 -g 1000 "$home"
git clone -q --bare --no-local "$repository" "$root/repository"
chown -R 1000:1000 "$root/repository"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"

# -- what pip is told here: its files in one, its variables, and the directories and files that they name, at the same places

settings=$("$python" - "$root/etc/pip.conf" <<'PYTHON'
import configparser, os, re, subprocess, sys
from pathlib import Path

merged = configparser.RawConfigParser()
told = subprocess.run([sys.executable, "-m", "pip", "config", "debug"], capture_output=True, text=True).stdout
merged.read(re.findall(r"^\s+(.+), exists: True$", told, re.MULTILINE))
with open(sys.argv[1], "w") as file:
    merged.write(file)
words = " ".join([*(value for name, value in os.environ.items() if name.startswith("PIP_")),
                  *(value for section in merged.sections() for value in merged[section].values())]).split()
for path in sorted({word.removeprefix("file://") for word in words}):
    if path.startswith("/") and Path(path).exists():
        # An index on a disk is often a directory above the one that is named, with the files beside it.
        print(Path(path).parent if Path(path).name == "simple" else path)
PYTHON
)
carried=(PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/newcomer LANG=C.UTF-8 TERM="${TERM:-dumb}" PYTEST_ARGS="${PYTEST_ARGS:-}")
while IFS= read -r variable; do carried+=("$variable"); done < <(env | grep -iE '^(PIP_|https?_proxy=|no_proxy=|all_proxy=)' || true)

# -- into it: in namespaces of their own, so that nothing is left mounted or running here. By pivot_root, as a real root is entered: in a
# chroot no user may make namespaces, which is not what a newcomer's machine is like.

export NEWCOMER_BINDS=$settings root
# shellcheck disable=SC2016
exec_inside='
set -euo pipefail
mount --bind "$root" "$root"
for name in null zero full random urandom tty; do touch "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
mkdir -p "$root/dev/shm" && mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mkdir -p "$root/dev/pts" && mount -t devpts -o ptmxmode=0666,newinstance devpts "$root/dev/pts" && ln -sf pts/ptmx "$root/dev/ptmx"
ln -sfn /proc/self/fd "$root/dev/fd"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
while IFS= read -r path; do
  [ -n "$path" ] || continue
  if [ -d "$path" ]; then mkdir -p "$root$path"; else mkdir -p "$root$(dirname "$path")"; [ -e "$root$path" ] || touch "$root$path"; fi
  mount --bind -o ro "$path" "$root$path"
done <<<"$NEWCOMER_BINDS"
cd "$root"
mkdir -p .old
pivot_root . .old
umount -l /.old
cd /home/newcomer
exec env -i "$@" setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all sh -euc "
  git clone -q /repository fumehood
  cd fumehood
  timed() {
    printf \"\n== %s\n\" \"\$*\"
    started=\$(date +%s)
    \"\$@\"
    printf \"\n== %s: done, after %d s\n\" \"\$*\" \$((\$(date +%s) - started))
  }
  timed make demo
  timed make test PYTEST_ARGS=\"\$PYTEST_ARGS\"
"'
say "a clone in an empty home; $(chroot "$root" python3 -V), $(chroot "$root" make --version | head -n 1), $(chroot "$root" git --version)"
began=$SECONDS
unshare --mount --pid --fork --kill-child --propagation private bash -c "$exec_inside" newcomer "${carried[@]}"
say "both commands are done, after $((SECONDS - began)) s"
