#!/usr/bin/env bash
# Installs the package into a bare Debian and lives with it: started as systemd would start it, upgraded and back,
# removed and purged; with a backup that is restored, https by itself, each proxy of the documents, each trap that
# the doctor knows, and the image of the Containerfile. As root; `make try-install` builds what it needs. Its steps are in try/.
# try-install.sh RELEASE LATER: two folders of `make release`, the latter of a later version.
set -euo pipefail
release=$(realpath "$1")
later=$(realpath "$2")
suite=${SUITE:-bookworm}
repository=$(realpath "$(dirname "$0")/../..")
cache=$repository/.cache/debian-$suite.tar

# In mount and process namespaces of its own: all that is mounted and started here ends with it.
if [[ -z ${CHATD_TRY_INSIDE:-} ]]; then
  exec env CHATD_TRY_INSIDE=1 unshare --mount --mount-proc --pid --fork --kill-child "$0" "$release" "$later"
fi

work=$(mktemp -d)
debian=$work/debian
network=$work/network
trap 'umount -l "$debian"/dev/* "$debian/proc" "$work"/image/*/dev/* "$work"/image/*/proc "$network" 2>/dev/null; rm -rf --one-file-system "$work"' EXIT

for part in debian https proxies doctor; do . "$(dirname "$0")/try/$part.sh"; done

say "a bare Debian ($suite), and the package in it"
make_debian
make_network
inside apt-get update -qq
installed /run/try/chatd.deb
grep "chatd is installed" "$work/apt.log"
inside chatd --version
[[ -e $debian/usr/share/doc/chatd/docs/upgrade.md ]] || fail "the package has no pages"
[[ $(stat -c '%a %U' "$debian/var/lib/chatd" | cut -d' ' -f1) == 700 ]] || fail "the data folder is open"
[[ $(inside stat -c %U /var/lib/chatd) == chatd ]] || fail "the data folder is not the service's"

say "its unit"
inside systemd-analyze verify /lib/systemd/system/chatd.service
install -d "$debian/etc/systemd/system/chatd.service.d"
sed -n '/^```ini$/,/^```$/{/^```/!p}' "$repository/docs/service.md" > "$debian/etc/systemd/system/chatd.service.d/secrets.conf"
grep -q ^LoadCredential= "$debian/etc/systemd/system/chatd.service.d/secrets.conf" || fail "the page shows no credential"
! inside systemd-analyze verify /lib/systemd/system/chatd.service 2>&1 | grep secrets.conf || fail "systemd does not take the page's drop-in"
rm -r "$debian/etc/systemd/system/chatd.service.d"
inside systemd-analyze security --offline=true --threshold=30 --no-pager chatd.service | tail -n 1

say "a server, as systemd starts it: READY=1"
start
inside chatd admin channel create lasting --description "Stays" >/dev/null
expect lasting inside chatd admin channel list
[[ -z $(find "$debian/var/lib/chatd" ! -user "$(stat -c %u "$debian/var/lib/chatd")") ]] || fail "root has left files in the data"
stop

say "an upgrade of the package, which migrates the data, and back"
installed /run/try/later.deb
start
expect lasting inside chatd admin channel list
stop
copy=$(inside sh -c 'ls /var/lib/chatd/chatd.db.before-schema-*')
installed --allow-downgrades /run/try/chatd.deb
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

installed nginx-light caddy haproxy pebble

say "https by itself, with a certificate of its own authority, and its renewal"
start_authority
try_https

say "behind each proxy of the documents"
try_proxies

say "the doctor: clean, and each of its problems made and found"
try_doctor

say "removed, purged, and purged with its data"
inside apt-get remove -y -qq chatd >/dev/null 2>&1
[[ -e $debian/etc/chatd/chatd.toml && -e $debian/var/lib/chatd/chatd.db ]] || fail "removing has deleted something"
inside apt-get purge -y -qq chatd >"$work/apt.log" 2>&1
grep "The data of chatd stays" "$work/apt.log"
[[ ! -e $debian/etc/chatd/chatd.toml && -e $debian/var/lib/chatd/chatd.db ]] || fail "purging has kept or deleted the wrong thing"
installed /run/try/chatd.deb
expect lasting inside chatd admin channel list
inside env PURGE_CHATD_DATA=yes apt-get purge -y -qq chatd >/dev/null 2>&1
[[ ! -e $debian/var/lib/chatd ]] || fail "the data is still there"

say "the image of deploy/Containerfile: its steps without a container engine, and a server in it"
git clone --quiet "$repository" "$work/context"
python3 "$repository/deploy/release/try/image.py" "$work/context" "$cache" "$work/image" "$network" >"$work/image.log" 2>&1 ||
  { tail -n 40 "$work/image.log"; fail "the image"; }
tail -n 1 "$work/image.log"

say "all of it works"
