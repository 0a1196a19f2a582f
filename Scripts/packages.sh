#!/usr/bin/env bash
# Tries what Scripts/dist.sh has made as a user would, on a system without Swift: installs the Debian package, runs, lints, tries to build
# an extension, and removes it; runs the command from the archive; answers as the container does.
#
#   Scripts/packages.sh            in Debian's smallest system, from debootstrap; two minutes
#   Scripts/packages.sh --short    in a folder with nothing but the C library, so without dpkg inside; seconds
#
# Makes the files first, where .build/dist has none since the last commit. Needs root, because chroot does; without it, this is skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'packages: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }
skip() { say "skipped: $*"; exit 0; }

short=false
if [[ ${1-} == --short ]]; then short=true; fi
[[ $(uname) == Linux ]] || skip "the packages are for Linux"
[[ $(id -u) == 0 ]] || skip "chroot needs root"
command -v dpkg-deb >/dev/null || skip "dpkg-deb is missing: this system has no Debian packages"

dist=.build/dist
Scripts/dist.sh --unless-made >/dev/null
package=$(echo "$dist"/*.deb)
archive=$(echo "$dist"/*.tar.gz)
(cd "$dist" && sha256sum --check --quiet --strict SHA256SUMS) || fail "a checksum is wrong"

work=$(mktemp -d)
server=''
finish() {
    if [[ $server ]]; then kill "$server" 2>/dev/null || true; fi
    for folder in proc sys; do
        while mountpoint --quiet "$work/root/$folder"; do umount "$work/root/$folder"; done
    done
    rm -rf --one-file-system "$work"
}
trap finish EXIT
root=$work/root
mkdir "$root"

# MARK: The system

if $short; then
    # The C library alone, as Debian packs it. The files of the package are unpacked, because dpkg would need a shell there.
    (cd "$work" && apt-get download libc6 >/dev/null 2>&1) || skip "libc6 cannot be downloaded"
    dpkg-deb --extract "$work"/libc6_*.deb "$root"
    dpkg-deb --extract "$package" "$root"
else
    Scripts/setup.sh debootstrap lintian
    # apt fills in what is in parentheses.
    # shellcheck disable=SC2016
    read -r mirror suite < <(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages') || true
    [[ ${mirror-} ]] || skip "the package manager names no repository"
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" 2>&1 || skip "debootstrap failed: $(tail -n 1 "$work/log")"
    say "made a system with debootstrap in $SECONDS s"
    lintian --allow-root --fail-on warning,error --tag-display-limit 0 "$package" || fail "lintian complains"
    say "lintian has nothing to say about $(basename "$package")"
    find "$root" -path "$root/var" -prune -o -path "$root/proc" -prune -o -print | LC_ALL=C sort >"$work/before"
    cp "$package" "$root/tmp/"
    chroot "$root" dpkg --install "/tmp/$(basename "$package")" >"$work/log" || fail "dpkg: $(<"$work/log")"
fi
# Swift reads a program's arguments there.
mkdir -p "$root/proc"
mountpoint --quiet "$root/proc" || mount -t proc proc "$root/proc" 2>/dev/null || skip "proc cannot be mounted here"
inside() { chroot "$root" "$@"; }

# MARK: Use

inside /usr/bin/pushpipe --version
report=$(echo '{"aps":{"alert":"Dinner is ready"}}' | inside /usr/bin/pushpipe run --quiet)
[[ $report == *'"outcome":"delivered"'* ]] || fail "run: $report"
report=$(echo '{"aps":{"alert":"x","mutable_content":1}}' | inside /usr/bin/pushpipe lint --quiet --format ndjson || true)
[[ $report == *aps.misspelled-key* ]] || fail "lint: $report"
echo '{"aps":{"alert":"Dinner is ready"}}' | inside /usr/bin/pushpipe run --quiet --format none --store /tmp.db
[[ $(inside /usr/bin/pushpipe store show --format text /tmp.db) == *"Dinner is ready"* ]] || fail "the store does not show the push"
rm "$root"/tmp.db*

# Without Swift there is nothing to build an extension with. It has to say so.
cat >"$root/NotificationService.swift" <<'END'
import UserNotifications
class NotificationService: UNNotificationServiceExtension {}
END
status=0
message=$(inside /usr/bin/pushpipe extension build --cache /cache /NotificationService.swift 2>&1) || status=$?
((status == 2)) || fail "extension build without Swift ends with status $status: $message"
[[ $message == *swift* ]] || fail "extension build without Swift says: $message"
say "without Swift it says: $message"
rm -rf "$root/NotificationService.swift" "$root/cache"

# MARK: The container's user and its check of health

if ! $short; then
    inside useradd --create-home --uid 10001 pushpipe
    # What HEALTHCHECK and CMD name, with port 0 replaced by a free one.
    python3 -c '
import json, re, sys
text = open("Dockerfile").read()
check = re.search(r"HEALTHCHECK[^[]*(\[.*\])", text)[1]
command = json.loads(re.search(r"^ENTRYPOINT (.*)$", text, re.M)[1]) + json.loads(re.search(r"^CMD (.*)$", text, re.M)[1])
print(json.loads(check)[2])
print(" ".join(command))' >"$work/commands"
    { read -r check; read -r serve; } <"$work/commands"
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    check=${check//2197/$port}
    # shellcheck disable=SC2086
    chroot --userspec=10001:10001 "$root" /usr/bin/env HOME=/home/pushpipe ${serve//0.0.0.0:2197/127.0.0.1:$port} >"$work/served" 2>"$work/log" &
    server=$!
    # It answers once it listens; until then the connection is refused.
    healthy=false
    for ((attempt = 0; attempt < 300; attempt++)); do
        if chroot --userspec=10001:10001 "$root" bash -c "$check" 2>/dev/null; then
            healthy=true
            break
        fi
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    $healthy || fail "the container's check of health fails: $(<"$work/log")"
    kill "$server"
    wait "$server" || true
    server=''
    inside userdel --remove pushpipe 2>/dev/null
    if chroot --userspec=10001:10001 "$root" bash -c "$check" 2>/dev/null; then fail "the check of health passes without a server"; fi
    say "serve is healthy for a user that is not root"

    # MARK: Removal

    inside dpkg --purge pushpipe >/dev/null
    find "$root" -path "$root/var" -prune -o -path "$root/proc" -prune -o -print | LC_ALL=C sort >"$work/after"
    left=$(comm -13 "$work/before" "$work/after" | grep -vE "^$root/(tmp|home|etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$)" || true)
    [[ -z $left ]] || fail "removal leaves files: $left"
    say "the package is installed, used and removed"
fi

# MARK: The archive, from nothing to the first line of a report

start=$(date +%s%N)
mkdir "$root/opt" 2>/dev/null || true
tar -xzf "$archive" -C "$root/opt"
first=$(echo '{"aps":{"alert":"Dinner is ready"}}' | inside "/opt/$(basename "$archive" .tar.gz)/bin/pushpipe" run --quiet | head -n 1)
end=$(date +%s%N)
[[ $first == *'"outcome":"delivered"'* ]] || fail "run, from the archive: $first"
milliseconds=$(((end - start) / 1000000))
say "from the archive to the first line of a report in $milliseconds ms"
((milliseconds < 30000)) || fail "that is more than 30 seconds"
