#!/usr/bin/env bash
# Health check of the image: whether the server accepts requests. It finds the server by the variables of the container only.
# If you set another address or port by a flag or in a file, start the container with --no-healthcheck.
set -euo pipefail
host=${CHATD_HOST:-0.0.0.0}
case $host in 0.0.0.0 | :: | localhost) host=127.0.0.1 ;; esac

if [[ -n ${CHATD_LISTEN:-} ]]; then
  # The socket exists as long as the server listens on it.
  [[ -S ${CHATD_LISTEN#unix:} ]]
elif [[ -n ${CHATD_HTTPS:-}${CHATD_TLS_CERTIFICATE:-} ]]; then
  # No program in the image speaks https, so the check only opens a connection.
  exec 3<>"/dev/tcp/$host/${CHATD_PORT:-443}"
else
  # /readyz answers 200.
  exec 3<>"/dev/tcp/$host/${CHATD_PORT:-8080}"
  printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
  head -n 1 <&3 | grep -q ' 200 '
fi
