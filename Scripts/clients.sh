#!/usr/bin/env bash
# Real clients, and probes of HTTP/2, against the gateway of the build for tests. Tests/Services/Clients/README.md says more. Python packages go
# into .build/clients. Arguments go to Tests/Services/Clients/run.py.
#
#   Scripts/clients.sh --short    at least eight clients, in less than two minutes: what CI runs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh

# Where there is no apt-get, a client that is not installed is skipped.
if command -v apt-get >/dev/null; then
    packages=(python3 openssl curl nghttp2-client nodejs php-cli php-curl openjdk-17-jdk-headless libnetty-java)
    if [[ " $* " != *" --short "* ]]; then packages+=(libslf4j-java); fi
    Scripts/setup.sh "${packages[@]}"
    python3 -c 'import ensurepip, venv' 2>/dev/null || Scripts/setup.sh python3-venv
fi

pushpipe=$(build_command)

status=0
Tests/Services/Clients/conformance.py --pushpipe "$pushpipe" || status=1
Tests/Services/Clients/stops.py --pushpipe "$pushpipe" || status=1
Tests/Services/Clients/run.py --pushpipe "$pushpipe" "$@" || status=1
Tests/Services/Clients/assistant.py --pushpipe "$pushpipe" || status=1
exit "$status"
