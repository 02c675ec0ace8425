# Each proxy with the file that docs/proxy.md names, at the ports that are in it. Sourced by try-install.sh.

alice=alice@example.com
password=correct-horse-battery
upload_mib=50
examples=$(dirname "${BASH_SOURCE[0]}")/../..

# The certificate that chatd has got, as the examples name it.
write_certificate() {
  csplit -s -f "$work/part" "$debian/var/lib/chatd/https/$host.pem" '/BEGIN CERTIFICATE/'
  install -m 0600 "$work/part00" "$debian/etc/ssl/chat.example.com.key"
  install -m 0644 "$work/part01" "$debian/etc/ssl/chat.example.com.pem"
  cat "$work/part01" "$work/part00" >"$debian/etc/haproxy/chat.example.com.pem"
}

# Words of the command that runs a proxy with its example. Caddy gets its certificate from the authority of the trial.
prepare() {
  case $1 in
    nginx)
      cp "$examples/nginx.conf" "$debian/etc/nginx/conf.d/chatd.conf"
      line=(nginx -g 'daemon off;')
      ;;
    caddy)
      printf '{\n\tacme_ca %s\n\tacme_ca_root %s\n}\n' "$directory" "$vouching" | cat - "$examples/Caddyfile" >"$debian/etc/caddy/Caddyfile"
      line=(caddy run --config /etc/caddy/Caddyfile)
      ;;
    haproxy)
      cp "$examples/haproxy.cfg" "$debian/etc/haproxy/haproxy.cfg"
      line=(haproxy -db -f /etc/haproxy/haproxy.cfg)
      ;;
  esac
}

proxy=
# The process of the proxy itself, so that a signal comes to it.
run_proxy() {
  if in_network bash -c "exec 3<>/dev/tcp/127.0.0.1/443" 2>/dev/null; then fail "something listens at port 443 before $1"; fi
  (exec nsenter --net="$network" chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@") >"$work/proxy.log" 2>&1 &
  proxy=$!
  listening 443
  kill -0 "$proxy" || { cat "$work/proxy.log"; fail "$1 has ended"; }
}
start_proxy() {
  local line
  prepare "$1"
  run_proxy "${line[@]}"
}
stop_proxy() {
  kill -TERM "$proxy"
  wait "$proxy" || true
}

# api PATH CURL-WORDS…: a request of Alice's client.
api() {
  local path=$1
  shift
  ask -u "$alice:$key" "$@" "https://$host/api/v1/$path"
}

# Ready behind the proxy, whose certificate may take a moment.
answering() {
  for _ in $(seq 100); do
    if ask "https://$host/readyz" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "nobody answers behind the proxy"
}

try_login() {
  local cookie
  cookie=$(ask -i "https://$host/login" --data-urlencode "email=$alice" -d "password=$password" |
    sed -n 's/^[Ss]et-[Cc]ookie: \(__Host-chatd_session=[^;]*\).*/\1/p')
  expect 'id="snapshot"' ask -H "Cookie: $cookie" "https://$host/"
}

try_long_poll() {
  local queue heard
  queue=$(api register -d 'event_types=["message"]' | in_json 'a["queue_id"]')
  api "events?queue_id=$queue&last_event_id=-1" >"$work/events" &
  heard=$!
  expect success api messages -d type=channel -d 'to="lasting"' -d topic=trial --data-urlencode "content=Behind $1"
  wait "$heard"
  expect "Behind $1" in_json 'a["events"][0]["message"]["content"]' <"$work/events"
}

try_upload() {
  local path
  path=$(api user_uploads -F "file=@$work/sent.bin" | in_json 'a["url"]')
  ask -u "$alice:$key" "https://$host$path" -o "$work/received.bin"
  cmp "$work/sent.bin" "$work/received.bin" || fail "another file came back"
}

# The address in the log is the client's, whatever it says of it.
try_address() {
  ask --interface "$1" -H 'X-Forwarded-For: 203.0.113.7' -o /dev/null "https://$host/login" --data-urlencode "email=$alice" -d password=guessed
  logged "\"event\":\"sign_in_failed\",\"address\":\"$1\""
}

write_proxied() {
  cat >"$debian/etc/chatd/chatd.toml" <<TOML
data = "/var/lib/chatd"
host = "127.0.0.1"
url = "https://$host"
trusted_proxies = "127.0.0.1"
TOML
}

# The last one goes on, for the doctor.
try_proxies() {
  write_proxied
  echo "$password" | inside chatd admin user add "$alice" --name Alice --role owner --password-stdin >/dev/null
  key=$(inside chatd admin api-key issue "$alice" --json | in_json 'a["api_key"]')
  head -c $((upload_mib * 1024 * 1024)) /dev/urandom >"$work/sent.bin"
  write_certificate
  start
  local name last=10
  for name in haproxy caddy nginx; do
    [[ -z $proxy ]] || stop_proxy
    last=$((last + 1))
    start_proxy "$name"
    answering
    api users/me/subscriptions --data-urlencode 'subscriptions=[{"name":"lasting"}]' >/dev/null
    try_login
    try_long_poll "$name"
    try_upload
    try_address "127.0.0.$last"
    echo "$name: signed in, waited for an event, sent $upload_mib MiB there and back, known by the client's own address"
  done
}
