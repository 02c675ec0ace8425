# A bare Debian in a folder: made, entered, and a server in it that is started as its unit says.
# Sourced by try-install.sh, which sets `work`, `debian`, `release`, `later`, `suite`, `cache` and `network`.

say() { printf '\n== %s\n' "$*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
inside() { chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
expect() { local wanted=$1; shift; [[ $("$@") == *"$wanted"* ]] || fail "$* does not print: $wanted"; }

# A network of its own, with this machine alone in it: ports 80 and 443 are free there, and nobody else is reached.
in_network() { nsenter --net="$network" "$@"; }
make_network() {
  touch "$network"
  unshare --net="$network" ip link set lo up
}

# installed APT-WORDS…: runs apt-get install, and shows what it says only when it fails.
installed() {
  inside apt-get install -y -qq --no-install-recommends "$@" >"$work/apt.log" 2>&1 || { cat "$work/apt.log"; fail "apt-get install $*"; }
}

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
  # No package starts a service by itself.
  printf '#!/bin/sh\nexit 101\n' >"$debian/usr/sbin/policy-rc.d"
  chmod 0755 "$debian/usr/sbin/policy-rc.d"
  install -d -m 1777 "$debian/run/try"
  cp "$release"/chatd_*_amd64.deb "$debian/run/try/chatd.deb"
  cp "$later"/chatd_*_amd64.deb "$debian/run/try/later.deb"
  cp "$later"/chatd-*-linux-x64.tar.gz "$debian/run/try/later.tar.gz"
}

# setting_of UNIT-KEY: its value in the unit of the package.
setting_of() { sed -n "s/^$1=//p" "$debian/lib/systemd/system/chatd.service"; }

# Starts the server with the command line, the account and the rights of the unit, and waits until it says READY=1.
server=
start() {
  local line rights variables=()
  read -ra line < <(setting_of ExecStart)
  rights=$(setting_of AmbientCapabilities | sed 's/CAP_/+/' | tr '[:upper:]' '[:lower:]')
  if [[ -e $debian/etc/chatd/environment ]]; then mapfile -t variables <"$debian/etc/chatd/environment"; fi
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
  (exec nsenter --net="$network" chroot "$debian" env -i PATH=/usr/bin:/bin HOME=/var/lib/chatd NOTIFY_SOCKET=/run/try/notify "${variables[@]}" \
    setpriv --reuid=chatd --regid=chatd --clear-groups --no-new-privs --inh-caps="$rights" --ambient-caps="$rights" --bounding-set="-all,$rights" \
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

# logged WORDS: waits until the log of the server has them.
logged() {
  for _ in $(seq 300); do
    if grep -q -- "$1" "$work/server.log"; then return; fi
    sleep 0.1
  done
  cat "$work/server.log"
  fail "the log does not say: $1"
}

# listening PORT: waits until something in the network takes connections there.
listening() {
  for _ in $(seq 300); do
    if in_network bash -c "exec 3<>/dev/tcp/127.0.0.1/$1" 2>/dev/null; then return; fi
    sleep 0.1
  done
  fail "nothing listens at port $1"
}

# in_json EXPRESSION: prints what a Python expression makes of the JSON `a` that is read.
in_json() { python3 -c 'import json, sys; a = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }
