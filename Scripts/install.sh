#!/usr/bin/env bash
# Installs the command, its shell completions, its man page and the sources for building extensions below $DESTDIR$PREFIX;
# `Scripts/install.sh --remove` removes them. Where only root may write, stage first: make install DESTDIR=/tmp/stage, then copy as root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=${DESTDIR-}${PREFIX:-/usr/local}
command_file=$root/bin/pushpipe
man_page=$root/share/man/man1/pushpipe.1
bash_completion=$root/share/bash-completion/completions/pushpipe
zsh_completion=$root/share/zsh/site-functions/_pushpipe
fish_completion=$root/share/fish/vendor_completions.d/pushpipe.fish
# `pushpipe extension build` finds these relative to the command.
shared=$root/share/pushpipe

if [[ ${1-} == --remove ]]; then
    rm -fv "$command_file" "$man_page" "$bash_completion" "$zsh_completion" "$fish_completion"
    rm -rf "$shared/Sources"
    rmdir "$shared" 2>/dev/null && printf "removed '%s'\n" "$shared"
    exit 0
fi

# Two products, and not `swift package generate-manual`, which would link every program of the package: some are for tests
# and need libraries that the command does not.
built=$(Scripts/release.sh pushpipe generate-manual)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
# The page has the day of the commit, so that the same commit gives the same page.
seconds=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
day=$(date -u -d "@$seconds" +%F 2>/dev/null || date -u -r "$seconds" +%F)
"$built/generate-manual" "$built/pushpipe" --date "$day" --output-directory "$stage"
# An empty line is no paragraph in a man page.
sed 's/^$/.Pp/' "$stage/pushpipe.1" >"$stage/page"
mv "$stage/page" "$stage/pushpipe.1"
# A completion is read by a shell, and not run.
for shell in bash zsh fish; do
    "$built/pushpipe" --generate-completion-script "$shell" | sed '1{/^#!/d;}' >"$stage/$shell"
done

put() {
    install -d "$(dirname "$3")"
    install -m "$1" "$2" "$3"
    printf 'installed %s\n' "$3"
}
# Strips the symbols of the static runtime, a third of the file.
strip -o "$stage/pushpipe" "$built/pushpipe" 2>/dev/null || cp "$built/pushpipe" "$stage/pushpipe"
put 755 "$stage/pushpipe" "$command_file"
put 644 "$stage/pushpipe.1" "$man_page"
put 644 "$stage/bash" "$bash_completion"
put 644 "$stage/zsh" "$zsh_completion"
put 644 "$stage/fish" "$fish_completion"
rm -rf "$shared/Sources"
for module in Apple/{CPushAuthorities,UserNotifications,ExtensionRuntime,Shims}; do
    while IFS= read -r source; do
        install -d "$shared/$(dirname "$source")"
        install -m 644 "$source" "$shared/$source"
    done < <(find "Sources/$module" -type f ! -name '.*')
    printf 'installed %s\n' "$shared/Sources/$module"
done
