# `chatd admin doctor` behind nginx: clean, and then each problem of docs/doctor.md made, found and mended.
# Sourced by try-install.sh, with the server and nginx running.

strong=f00dfeed12345678cafe90abcdef4567
data=/var/lib/chatd
unreached=http://127.0.0.1:1
tried=()

# doctor ARGUMENTS… [-- VARIABLE=VALUE…]: what it finds, as JSON.
doctor() {
  local arguments=()
  while (($# > 0)) && [[ $1 != -- ]]; do arguments+=("$1"); shift; done
  in_network chroot "$debian" env -i PATH=/usr/bin:/bin NODE_EXTRA_CA_CERTS="$pebble/issued-by.pem" "${@:2}" \
    chatd admin doctor --json "${arguments[@]}" 2>"$work/doctor.err"
}

# caught CHECK WORDS DOCTOR-WORDS…: the doctor finds a problem by this check, with these words, and no other.
caught() {
  local check=$1 words=$2 found
  shift 2
  if found=$(doctor "$@"); then fail "the doctor finds no $check: $*"; fi
  [[ $(in_json '" ".join(sorted({one["check"] for one in a["findings"]}))' <<<"$found") == "$check" && $found == *"$words"* ]] ||
    { cat "$work/doctor.err"; fail "the doctor finds another thing than $check ($words): $found"; }
  tried+=("$check")
}

# in_database SQL: changes rows past the server, as an accident does.
in_database() {
  python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()' "$debian$data/chatd.db" "$1"
}

try_variables() {
  caught configuration "access_log has no effect" --offline -- CHATD_ACCESS_LOG=true CHATD_LOG_LEVEL=error
  caught secret "The secret" --offline -- CHATD_SECRET=secret
  caught database "127.0.0.1:1" --offline -- CHATD_DATABASE=postgres://me@127.0.0.1:1/none CHATD_SECRET=$strong
  caught files "s3_bucket" --offline -- CHATD_FILE_STORE=s3
  caught mail "smtp_port needs channel_email_domain" --offline -- CHATD_SMTP_PORT=2525
  caught mail "127.0.0.1" -- CHATD_SMTP_RELAY_HOST=127.0.0.1 CHATD_SMTP_RELAY_PORT=1
  caught push "push_relay_url cannot be reached" -- CHATD_PUSH_RELAY_URL=$unreached
  caught calls "big_blue_button_url cannot be reached" -- CHATD_BIG_BLUE_BUTTON_URL=$unreached CHATD_BIG_BLUE_BUTTON_SECRET=$strong
  caught tls "sent unencrypted" --offline -- CHATD_URL=http://$host
  caught tls "do not accept the certificate" -- NODE_EXTRA_CA_CERTS=
}

try_machine() {
  local disk=/run/try/small drop_in=$debian/etc/systemd/system/chatd.service.d copy
  mkdir "$debian$disk"
  mount -t tmpfs -o size=100m none "$debian$disk"
  caught disk "100 MiB left" --offline --data "$disk/data"
  umount "$debian$disk"

  chmod 0644 "$debian$data/secret"
  caught permissions "Other accounts" --offline
  chmod 0600 "$debian$data/secret"

  chmod 0755 "$debian/etc/chatd"
  install -m 0644 /dev/null "$debian/etc/chatd/environment"
  caught permissions "/etc/chatd/environment" --offline
  rm "$debian/etc/chatd/environment"

  mkdir -p "$drop_in"
  printf '[Service]\nMemoryDenyWriteExecute=yes\n' >"$drop_in/override.conf"
  caught unit "several times slower" --offline
  rm -r "$drop_in"

  for copy in "$debian$data"/before-restore-*; do touch -d '40 days ago' "$copy"; done
  caught copies "older than 30 days" --offline
  rm -r "$debian$data"/before-restore-*
}

try_data() {
  in_database "UPDATE event_log SET created_at = created_at + 10000000000"
  caught clock "this machine's clock says" --offline
  in_database "UPDATE event_log SET created_at = created_at - 10000000000"

  in_database "INSERT INTO jobs (realm_id, name, payload, run_at, failed_at, created_at, last_error) SELECT id, 'mail', '{}', 1, 1, 1, 'no such host' FROM realms"
  caught jobs "no such host" --offline
  inside chatd admin jobs list --failed --json | in_json '" ".join(str(job["id"]) for job in a["jobs"])' >"$work/failed"
  inside chatd admin jobs delete "$(cat "$work/failed")" --yes >/dev/null 2>&1

  inside chatd admin realm update invite_required=false >/dev/null
  caught signup "without being invited" --offline -- CHATD_SMTP_RELAY_HOST=127.0.0.1
  inside chatd admin realm update invite_required=true >/dev/null
}

# nginx_with SED-WORDS: nginx with its example changed.
nginx_with() {
  sed -e "$1" "$examples/nginx.conf" >"$debian/etc/nginx/conf.d/chatd.conf"
  stop_proxy
  run_proxy nginx -g 'daemon off;'
  answering
}

try_ways() {
  sed -i '/^trusted_proxies/d' "$debian/etc/chatd/chatd.toml"
  caught proxy "no proxy is trusted" --offline
  write_proxied
  nginx_with 's/\$request_id/$http_x_request_id/'
  caught proxy "X-Request-Id"
  nginx_with 's/X-Forwarded-For \$remote_addr/X-Forwarded-For $http_x_forwarded_for/'
  caught proxy "that a client claims to have"
  nginx_with ''
  truncate -s 300M "$debian$data/chatd.db-wal"
  caught wal "300 MiB"
  stop_proxy
  stop
  caught address "Nothing answers"
}

try_doctor() {
  local found named
  found=$(doctor) || fail "the doctor finds something in a server that is in order: $found"
  try_variables
  try_machine
  try_data
  try_ways
  found=$(doctor --offline) || fail "the doctor finds something in the end: $found"
  # `statistics` is about PostgreSQL, which this machine does not have.
  named=$(sed -n 's/^| `\([a-z]*\)` |.*/\1/p' "$examples/../docs/doctor.md" | grep -v '^statistics$' | sort)
  [[ $(printf '%s\n' "${tried[@]}" | sort -u) == "$named" ]] || fail "not each check of docs/doctor.md found a problem: ${tried[*]}"
  echo "clean, and ${#tried[@]} problems found by $(wc -l <<<"$named") checks"
}
