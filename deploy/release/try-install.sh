#!/usr/bin/env bash
# Installs the package into a bare Debian and lives with it: started as systemd would start it, upgraded and back,
# removed and purged; with a backup that is restored. As root; `make try-install` builds what it needs.
# try-install.sh RELEASE LATER: two folders of `make release`, the latter of a later version.
set -euo pipefail
release=$(realpath "$1")
later=$(realpath "$2")
suite=${SUITE:-bookworm}
cache=$(realpath "$(dirname "$0")/../..")/.cache/debian-$suite.tar

# In mount and process namespaces of its own: all that is mounted and started here ends with it.
if [[ -z ${CHATD_TRY_INSIDE:-} ]]; then
  exec env CHATD_TRY_INSIDE=1 unshare --mount --pid --fork --kill-child "$0" "$release" "$later"
fi

work=$(mktemp -d)
debian=$work/debian
trap 'umount -l "$debian"/dev/* "$debian/proc" 2>/dev/null; rm -rf "$work"' EXIT

say() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
inside() { chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
expect() { local wanted=$1; shift; [[ $("$@") == *"$wanted"* ]] || fail "$* does not print: $wanted"; }

make_debian() {
  if [[ ! -e $cache ]]; then
    mkdir -p "$(dirname "$cache")"
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$work/new" >"$work/debootstrap.log" 2>&1 ||
      { tail -n 20 "$work/debootstrap.log"; fail "debootstrap"; }
    tar -C "$work/new" --exclude=./proc/* --exclude=./sys/* --exclude=./dev/* -cf "$cache.part" .
    mv "$cache.part" "$cache"
    rm -rf "$work/new"
  fi
  mkdir "$debian"
  tar -C "$debian" -xf "$cache"
  mount -t proc proc "$debian/proc"
  mkdir -p "$debian/dev"
  for name in null zero urandom random; do
    rm -f "$debian/dev/$name"; touch "$debian/dev/$name"; mount --bind "/dev/$name" "$debian/dev/$name"
  done
  cp /etc/resolv.conf "$debian/etc/resolv.conf"
  cp -r /etc/apt/apt.conf.d/. "$debian/etc/apt/apt.conf.d/"
  install -d -m 1777 "$debian/run/try"
  cp "$release"/chatd_*_amd64.deb "$debian/run/try/chatd.deb"
  cp "$later"/chatd_*_amd64.deb "$debian/run/try/later.deb"
  cp "$later"/chatd-*-linux-x64.tar.gz "$debian/run/try/later.tar.gz"
}

# Starts the server with the command line of the unit, and waits until it says READY=1.
server=
start() {
  local line
  read -ra line < <(sed -n 's/^ExecStart=//p' "$debian/lib/systemd/system/chatd.service")
  python3 - "$debian/run/try/notify" >"$work/heard" <<'PY' &
import os, socket, sys
if os.path.exists(sys.argv[1]): os.unlink(sys.argv[1])
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o666)
s.settimeout(60)
while True:
    words = s.recv(1000).decode()
    if "READY=1" in words:
        print(words, end="", flush=True)
        break
PY
  local receiver=$!
  while [[ ! -S $debian/run/try/notify ]]; do sleep 0.05; done
  (exec chroot --userspec=chatd:chatd "$debian" env -i PATH=/usr/bin:/bin HOME=/var/lib/chatd NOTIFY_SOCKET=/run/try/notify \
    "${1:-${line[0]}}" "${line[@]:1}") >"$work/server.log" 2>&1 &
  server=$!
  wait "$receiver" || { cat "$work/server.log"; fail "the server has not said READY=1"; }
  grep -q READY=1 "$work/heard"
  rm "$debian/run/try/notify"
}

stop() {
  kill -TERM "$server"
  local status=0
  wait "$server" || status=$?
  [[ $status -eq 0 ]] || { cat "$work/server.log"; fail "the server ended with $status"; }
}

say "a bare Debian ($suite), and the package in it"
make_debian
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /run/try/chatd.deb >"$work/apt.log" 2>&1 || { cat "$work/apt.log"; fail "apt install"; }
grep "chatd is installed" "$work/apt.log"
inside chatd --version
[[ $(stat -c '%a %U' "$debian/var/lib/chatd" | cut -d' ' -f1) == 700 ]] || fail "the data folder is open"
[[ $(inside stat -c %U /var/lib/chatd) == chatd ]] || fail "the data folder is not the service's"

say "its unit"
inside systemd-analyze verify /lib/systemd/system/chatd.service
inside systemd-analyze security --offline=true --threshold=30 --no-pager chatd.service | tail -n 1

say "a server, as systemd starts it: READY=1"
start
inside chatd admin channel create lasting --description "Stays" >/dev/null
expect lasting inside chatd admin channel list
[[ -z $(find "$debian/var/lib/chatd" ! -user "$(stat -c %u "$debian/var/lib/chatd")") ]] || fail "root has left files in the data"
stop

say "an upgrade of the package, which migrates the data, and back"
inside apt-get install -y -qq /run/try/later.deb >"$work/apt.log" 2>&1 || { cat "$work/apt.log"; fail "apt upgrade"; }
start
expect lasting inside chatd admin channel list
stop
copy=$(inside sh -c 'ls /var/lib/chatd/chatd.db.before-schema-*')
inside apt-get install -y -qq --allow-downgrades /run/try/chatd.deb >"$work/apt.log" 2>&1 || { cat "$work/apt.log"; fail "apt downgrade"; }
inside chatd admin restore "$copy" --force
start
expect lasting inside chatd admin channel list
stop

say "chatd upgrade and --back of an executable outside the package"
cp "$debian/usr/bin/chatd" "$debian/usr/local/bin/chatd"
if inside /usr/bin/chatd upgrade /run/try/later.tar.gz 2>"$work/refused"; then fail "a package replaced itself"; fi
grep -q "belongs to the package" "$work/refused" || { cat "$work/refused"; fail "another refusal"; }
inside /usr/local/bin/chatd upgrade /run/try/later.tar.gz
start /usr/local/bin/chatd
expect lasting inside /usr/local/bin/chatd admin channel list
stop
inside /usr/local/bin/chatd upgrade --back --force
start /usr/local/bin/chatd
expect lasting inside /usr/local/bin/chatd admin channel list
stop

say "a backup, restored into an empty folder"
inside install -d -m 0700 -o chatd -g chatd /run/try/backup
inside chatd admin backup /run/try/backup/chatd.tar
inside chatd admin restore /run/try/backup/chatd.tar --data /run/try/backup/restored
expect lasting inside chatd admin channel list --data /run/try/backup/restored
inside chatd admin check --data /run/try/backup/restored

say "removed, purged, and purged with its data"
inside apt-get remove -y -qq chatd >/dev/null 2>&1
[[ -e $debian/etc/chatd/chatd.toml && -e $debian/var/lib/chatd/chatd.db ]] || fail "removing has deleted something"
inside apt-get purge -y -qq chatd >"$work/apt.log" 2>&1
grep "The data of chatd stays" "$work/apt.log"
[[ ! -e $debian/etc/chatd/chatd.toml && -e $debian/var/lib/chatd/chatd.db ]] || fail "purging has kept or deleted the wrong thing"
inside apt-get install -y -qq --no-install-recommends /run/try/chatd.deb >/dev/null 2>&1
expect lasting inside chatd admin channel list
inside env PURGE_CHATD_DATA=yes apt-get purge -y -qq chatd >/dev/null 2>&1
[[ ! -e $debian/var/lib/chatd ]] || fail "the data is still there"

say "all of it works"
