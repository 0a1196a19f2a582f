#!/usr/bin/env bash
# The web console of the debug build in Chromium, without a window. Tests/Console/README.md says more. axe-core and Pillow come with
# Python packages and go into .build/console. Arguments go to Tests/Console/run.py.
#
#   Scripts/console.sh --case slider --pictures /tmp/pictures
#   Scripts/console.sh --case approved --approve
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Where there is no apt-get, a browser that is not installed skips everything.
if command -v apt-get >/dev/null; then
    Scripts/setup.sh python3 chromium curl fonts-inter fonts-dejavu-core fonts-noto-color-emoji
    python3 -c 'import ensurepip, venv' 2>/dev/null || Scripts/setup.sh python3-venv
fi

# The flags of Scripts/test.sh, so that its build is reused. A command that is named needs none.
if [[ " $* " != *" --pushpipe "* ]]; then
    flags=(--traits Strict --explicit-target-dependency-import-check error)
    swift build --build-tests "${flags[@]}" || {
        echo "console: the build failed; the reason is the first 'error:' above" >&2
        exit 1
    }
    set -- --pushpipe "$(swift build --show-bin-path "${flags[@]}")/pushpipe" "$@"
fi

# Without axe-core, our own checks of accessibility run alone; without Pillow, no pictures are compared.
folder=.build/console
words=()
python=python3
if [[ -d $folder/bin ]] || python3 -m venv "$folder" 2>/dev/null; then
    "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement Tests/Console/requirements.txt || true
    axe=$(find "$folder" -name axe.min.js | head -1)
    if [[ -n $axe ]]; then words=(--axe "$axe"); fi
    python=$folder/bin/python
fi

exec "$python" Tests/Console/run.py ${words[@]+"${words[@]}"} "$@"
