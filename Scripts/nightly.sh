#!/usr/bin/env bash
# What takes longer than CI may, and has found nothing there for long: `make run`, the fast tests with all seeds, the whole slow tests, other
# clocks and languages, the fuzzer, the cost of twice the input, all clients, engines that divide streams, a thousand kills and half as many
# power cuts. In about three hours on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/parts.sh

part 20 run
part 60 growth GROWTHFLAGS=--check
part 60 flooding
part 60 kills KILLFLAGS="--kills 1000"
part 30 power-cuts
part 60 clients
part 60 console
part 60 scale-out
part 20 arm
part 60 fuzz-smoke
part 90 fuzz FUZZFLAGS="--seconds 60"
PUSHPIPE_THOROUGH=1 part 90 soak
part 30 library-user
part 30 library-cost
part 30 oldest-packages
part 120 clocks
PUSHPIPE_THOROUGH=1 part 60 test > >(summarize_before ' Test run with ')
wait $!
exit "$status"
