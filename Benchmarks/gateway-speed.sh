#!/usr/bin/env bash
# Requests per second, latency and memory of `pushpipe serve`, beside servers that answer without doing anything. PUSHPIPE=path
# measures a command that exists. Arguments are gateway_speed.py's: Benchmarks/gateway-speed.sh --help
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Benchmarks/common.sh

Scripts/setup.sh python3 nghttp2-client nghttp2-server
# The Java peer is left out if it cannot be had.
Scripts/setup.sh openjdk-17-jdk-headless libnetty-java || say "no Java or Netty; that peer is left out"
pushpipe=$(find_pushpipe --whole)
say "building the echo server"
swift build -c release --package-path Benchmarks/peers/NIOEcho >&2
echo_server=$(swift build -c release --package-path Benchmarks/peers/NIOEcho --show-bin-path)/NIOEcho
export PYTHONDONTWRITEBYTECODE=1
printf '%s\n\n' "$(describe_machine)"
exec Benchmarks/gateway_speed.py --pushpipe "$pushpipe" --nio-echo "$echo_server" "$@"
