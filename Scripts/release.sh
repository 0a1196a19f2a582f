#!/usr/bin/env bash
# Builds products of this package for release, and prints the folder with them. Everything that needs a release build calls this, with the
# same flags, so that nothing is compiled twice.
#
#   Scripts/release.sh [PRODUCT]...    pushpipe without a PRODUCT
#   Scripts/release.sh --core          the filter alone, sooner: a folder with it as `pushpipe`
#
# SWIFTFLAGS         more words for `swift build`
# PUSHPIPE_COMMIT    the commit that `pushpipe --version` tells; by default that of the checkout
# PUSHPIPE_IS_BUILT  set if the filter is there, and need not be built
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

products=("$@")
((${#products[@]})) || products=(pushpipe)
core=false
if [[ ${1-} == --core ]]; then
    core=true
    products=(pushpipe-core)
fi

export PUSHPIPE_COMMIT=${PUSHPIPE_COMMIT-$(git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null || true)}

# Debug information would take a tenth of the time, and is stripped when the command is installed. Without a run path, no library that lies
# beside the command is loaded.
flags=(-debug-info-format none --disable-local-rpath)
# No path of this machine gets into what remains.
flags+=(-Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=.")
# Each function in a section of its own, so that the linker leaves out those that nothing calls.
flags+=(-Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections)
# Overlapping accesses to an object's properties are found by the tests, whose build checks each access. The checks took a seventh of the
# instructions of a stream with events.
flags+=(-Xswiftc -enforce-exclusivity=unchecked)

# On Linux the Swift runtime is linked statically, so that the command runs without Swift; macOS includes the runtime.
if [[ $(uname) == Linux ]]; then
    # Functions are not exported, which the compiler asks for in favor of plug-ins: what is exported is never left out.
    flags+=(-Xswiftc -static-stdlib -Xlinker --no-export-dynamic)
    # The same for libraries whose archives are installed: jansson, SQLite, zlib, and the C++ runtime, whose shared library takes a fifth of a
    # start to load. The archives get a folder of their own, because beside them are the shared libraries, which a linker prefers.
    archives=$PWD/.build/archives
    mkdir -p "$archives"
    for library in libjansson libsqlite3 libz libstdc++; do
        file=$(clang -print-file-name="$library.a" 2>/dev/null) || file=''
        [[ -f $file ]] || continue
        ln -sf "$file" "$archives/$library.a"
        # SwiftPM looks where the library's description says it is, and only here is it alone.
        name=${library#lib}
        if folder=$(pkg-config --variable=pcfiledir "$name" 2>/dev/null) && [[ $folder != "$archives" ]]; then
            # A space is escaped there.
            sed "s|^libdir=.*|libdir=${archives// /\\\\ }|" "$folder/$name.pc" >"$archives/$name.pc"
        fi
    done
    export PKG_CONFIG_PATH=$archives${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    flags+=(-Xswiftc "-L$archives")
    # Most of Foundation's data are texts of other languages: 29 of 34 MB.
    icu=$(swiftc -print-target-info -static-stdlib | sed -nE 's/^ *"runtimeResourcePath": "([^"]+)".*/\1/p')/linux/lib_FoundationICU.a
    if [[ -f $icu ]] && command -v python3 >/dev/null; then
        flags+=(-Xlinker "--wrap=$(Scripts/icu-data.py "$icu" "$archives/icu-data.o")" -Xlinker "$archives/icu-data.o")
    fi
    # Named once more at the end, for the archives of the Swift runtime.
    if [[ -e $archives/libstdc++.a ]]; then flags+=(-Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xlinker -lstdc++); fi
fi

if ! $core || [[ -z ${PUSHPIPE_IS_BUILT-} ]]; then
    # SwiftPM may consider a build with other flags up to date, so it plans anew.
    rm -f .build/release.yaml
    # SWIFTFLAGS is a list of words, so it is left unquoted on purpose.
    for product in "${products[@]}"; do
        # Scripts/test-flags.sh says why hashing is deterministic.
        # shellcheck disable=SC2086
        SWIFT_DETERMINISTIC_HASHING=1 swift build -c release "${flags[@]}" ${SWIFTFLAGS-} --product "$product" >&2
    done
fi
# shellcheck disable=SC2086
built=$(swift build -c release "${flags[@]}" ${SWIFTFLAGS-} --show-bin-path)
if $core; then
    mkdir -p "$built/core"
    ln -sf ../pushpipe-core "$built/core/pushpipe"
    built=$built/core
fi
printf '%s\n' "$built"
