#!/usr/bin/env bash
# Draws the pictures of Documentation/pictures: each line of pictures.txt has a name and the command that writes the picture, and each
# other .txt the commands of a picture of a terminal. With --check nothing is written; the status is 1 if a picture differs from what its
# command writes now. console.png is a picture of the page in Chromium, which Tests/Services/Console compares.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
pictures=Documentation/pictures

check=false
if [[ ${1-} == --check ]]; then check=true; fi

status=0
while IFS= read -r line; do
    [[ $line == '#'* || -z $line ]] && continue
    name=${line%%: *}
    command=${line#*: }
    folder=$(mktemp -d)
    ln -s "$PWD/Samples" "$folder/Samples"
    (cd "$folder" && bash -o pipefail -c "$command" </dev/null) >"$folder/picture"
    # A page with many of them has to load fast.
    if (($(wc -c <"$folder/picture") > 100000)); then
        printf '%s has more than 100,000 bytes\n' "$name" >&2
        status=1
    fi
    if ! $check; then
        cp "$folder/picture" "$pictures/$name"
    elif ! cmp -s "$folder/picture" "$pictures/$name"; then
        printf '%s differs from what its command writes: run make pictures\n' "$pictures/$name" >&2
        status=1
    fi
    rm -r "$folder"
done <"$pictures/pictures.txt"

$check && option=--check || option=
for name in quickstart terminal; do
    # shellcheck disable=SC2086 # without --check there is no argument
    Scripts/terminal-picture.py $option "$pictures/$name.txt" "$pictures/$name.svg" || status=1
done
if ! $check; then
    Scripts/console.sh --pushpipe "$(command -v pushpipe)" --case the_page_looks_as_approved --approve || status=1
fi
exit "$status"
