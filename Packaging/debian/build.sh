#!/usr/bin/env bash
# Makes a Debian package of an installed tree: build.sh ROOT VERSION OUTPUT-FOLDER. Scripts/dist.sh calls it, with SOURCE_DATE_EPOCH set.
# The binary exists already, so this needs no debian/rules; dpkg-shlibdeps finds which C library it needs.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$1 version=$2 out=$(cd "$3" && pwd)
architecture=$(dpkg --print-architecture)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/debian/pushpipe
mkdir -p "$work/debian"
cp -a "$root" "$tree"
share=$tree/usr/share

# Debian's places and forms: man pages and changelogs are compressed, and zsh looks elsewhere.
gzip -9n "$share/man/man1/pushpipe.1"
mkdir -p "$share/zsh"
mv "$share/zsh/site-functions" "$share/zsh/vendor-completions"
maintainer=$(sed -n 's/^Maintainer: //p' "$folder/control")
gzip -9nc >"$share/doc/pushpipe/changelog.gz" <<END
pushpipe ($version) stable; urgency=medium

  * CHANGELOG.md has the changes.

 -- $maintainer  $(LC_ALL=C date -R -u -d "@$SOURCE_DATE_EPOCH")
END
rm "$share/doc/pushpipe/LICENSE"
# Debian does not ship copies of licenses beside `copyright`, which includes them here, except those that every system has.
{
    cat "$folder/copyright"
    for file in "$share"/doc/pushpipe/licenses/*/*; do
        printf '\n--- %s ---\n\n' "${file#"$share/doc/pushpipe/licenses/"}"
        if grep -q 'Apache License' "$file" && grep -q 'TERMS AND CONDITIONS' "$file"; then
            echo "Apache-2.0, in /usr/share/common-licenses/Apache-2.0"
            sed -n '/Runtime Library Exception/,$p' "$file"
        else
            cat "$file"
        fi
    done
} >"$share/doc/pushpipe/copyright"
rm -r "$share/doc/pushpipe/licenses"
install -D -m 644 "$folder/lintian-overrides" "$share/lintian/overrides/pushpipe"

cp "$folder/control" "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O debian/pushpipe/usr/bin/pushpipe 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
mkdir "$tree/DEBIAN"
{
    awk 'NF == 0 { isBinary = 1; next } isBinary && !/^(Architecture|Depends):/' "$folder/control" |
        awk -v version="$version" -v architecture="$architecture" -v depends="$depends" -v maintainer="$maintainer" -v size="$(du -k -s --apparent-size "$tree/usr" | cut -f 1)" '
            { print }
            /^Package:/ {
                print "Version: " version
                print "Architecture: " architecture
                print "Maintainer: " maintainer
                print "Installed-Size: " size
                print "Depends: " depends
                print "Section: devel\nPriority: optional\nHomepage: https://github.com/pushpipe/pushpipe"
            }'
} >"$tree/DEBIAN/control"
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
chmod -R u=rwX,go=rX "$tree"
find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$tree" "$out/pushpipe_${version}_$architecture.deb" >&2
