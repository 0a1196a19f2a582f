#!/bin/sh
# The C compiler of the tests' build. BoringSSL, which two packages contain, has 530 files in C++, and reading headers takes two thirds of their
# time. So the headers of each copy are read once, and clang begins with what came of it. `build` in Scripts/test-flags.sh names the real
# compiler in PUSHPIPE_CLANG, and the folder in PUSHPIPE_PRECOMPILED, from which it removes what does not suit the compiler any more.
case $* in
    *" -c "*/CNIOBoringSSL/*.cc\ *) library=CNIOBoringSSL ;;
    *" -c "*/CCryptoBoringSSL/*.cc\ *) library=CCryptoBoringSSL ;;
    *) exec "$PUSHPIPE_CLANG" "$@" ;;
esac
header=$PUSHPIPE_PRECOMPILED/$library.pch

precompile() {
    for file; do
        case $file in */"$library"/*.cc) sources=${file%%/"$library"/*}/$library ;; esac
    done
    {
        printf '#include <%s>\n' algorithm array atomic memory optional string_view utility "$library.h"
        printf '#include "%s"\n' "$sources/crypto/internal.h" "$sources/crypto/mem_internal.h"
    } >"$header.h"
    # As SwiftPM compiles C++. An empty file says that it cannot be done.
    "$PUSHPIPE_CLANG" -target "$(uname -m)-unknown-linux-gnu" -I "$sources/include" -fblocks -fPIC -O0 -g0 -fno-omit-frame-pointer -std=c++17 \
        -fpch-instantiate-templates -w -x c++-header "$header.h" -o "$header.new" 2>/dev/null || : >"$header.new"
    mv "$header.new" "$header"
}

if [ ! -e "$header" ]; then
    # One process does it, and the others wait.
    exec 9>"$header.lock"
    flock 9
    [ -e "$header" ] || precompile "$@"
    exec 9>&-
fi
if [ -s "$header" ]; then set -- -include-pch "$header" "$@"; fi
exec "$PUSHPIPE_CLANG" "$@"
