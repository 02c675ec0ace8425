# https by itself: a certificate from an authority in the Debian (Let's Encrypt's Pebble), and its renewal.
# Sourced by try-install.sh.

host=chat.example.com
pebble=/run/try/pebble
# Address of the authority, as `acme_directory` takes it, and the file that vouches for it.
directory=https://localhost:14000/dir
vouching=$pebble/root.pem

new_key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)

start_authority() {
  local folder=$debian$pebble
  mkdir -p "$folder"
  echo "127.0.0.1 localhost $host" >"$debian/etc/hosts"
  openssl req -x509 "${new_key[@]}" -keyout "$folder/root.key" -out "$folder/root.pem" -days 2 -subj "/CN=Root of the trial" 2>/dev/null
  openssl req -new "${new_key[@]}" -keyout "$folder/own.key" -out "$folder/own.csr" -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
  openssl x509 -req -in "$folder/own.csr" -CA "$folder/root.pem" -CAkey "$folder/root.key" -CAcreateserial -copy_extensions copy -days 2 -out "$folder/own.pem" 2>/dev/null
  chmod 0644 "$folder"/*
  cat >"$folder/pebble.json" <<JSON
{"pebble": {"listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000",
  "certificate": "$pebble/own.pem", "privateKey": "$pebble/own.key", "httpPort": 80, "tlsPort": 443,
  "ocspResponderURL": "", "externalAccountBindingRequired": false, "certificateValidityPeriod": 7776000}}
JSON
  in_network chroot "$debian" env -i PATH=/usr/bin:/bin PEBBLE_VA_NOSLEEP=1 PEBBLE_AUTHZREUSE=0 \
    pebble -config "$pebble/pebble.json" >"$work/pebble.log" 2>&1 &
  listening 15000
  # The root of all that it issues, which clients trust.
  in_network curl -sS --cacert "$folder/root.pem" https://localhost:15000/roots/0 >"$folder/issued-by.pem"
}

# ask CURL-WORDS… ADDRESS: a request of a client that trusts the authority, and knows where the host is.
ask() {
  in_network curl -sS -m 60 --resolve "$host:443:127.0.0.1" --resolve "$host:80:127.0.0.1" --cacert "$debian$pebble/issued-by.pem" "$@"
}

# Serial number of the certificate that is served.
serial() {
  in_network openssl s_client -connect 127.0.0.1:443 -servername "$host" </dev/null 2>/dev/null | openssl x509 -noout -serial
}

# A certificate in place of the one that is stored, of which 80 days of 90 are over.
age_certificate() {
  local folder=$work/aged stored=$debian/var/lib/chatd/https/$host.pem
  mkdir "$folder" && touch "$folder/index"
  printf '[ca]\ndefault_ca=own\n[own]\ndatabase=%s/index\nnew_certs_dir=%s\nserial=%s/serial\ndefault_md=sha256\npolicy=any\ncopy_extensions=copy\n[any]\ncommonName=supplied\n' \
    "$folder" "$folder" "$folder" >"$folder/conf"
  openssl req -new "${new_key[@]}" -keyout "$folder/key" -out "$folder/csr" -subj "/CN=$host" -addext "subjectAltName=DNS:$host" 2>/dev/null
  openssl ca -config "$folder/conf" -batch -notext -create_serial -selfsign -keyfile "$folder/key" -in "$folder/csr" -out "$folder/pem" \
    -startdate "$(date -u -d '80 days ago' +%Y%m%d%H%M%SZ)" -enddate "$(date -u -d '10 days' +%Y%m%d%H%M%SZ)" 2>"$folder/log" || { cat "$folder/log"; fail "openssl ca"; }
  cat "$folder/key" "$folder/pem" >"$stored"
}

try_https() {
  cat >"$debian/etc/chatd/chatd.toml" <<TOML
data = "/var/lib/chatd"
https = "$host"
acme_directory = "$directory"
acme_ca_file = "$vouching"
TOML
  start
  logged '"event":"certificate_served"'
  expect '"result":"success"' ask "https://$host/api/v1/server_settings"
  expect "301 https://$host/login" ask -o /dev/null -w '%{http_code} %{redirect_url}' "http://$host/login"
  local first
  first=$(serial)
  stop

  age_certificate
  start
  logged '"event":"certificate_got"'
  logged '"event":"certificate_served"'
  expect '"result":"success"' ask "https://$host/api/v1/server_settings"
  [[ $(serial) != "$first" ]] || fail "the certificate is the one from before"
  stop
}
