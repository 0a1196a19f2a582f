#!/usr/bin/env bash
# The web console of the build for tests in Chromium, without a window. Tests/Services/Console/README.md says more. axe-core and Pillow come with
# Python packages and go into .build/console. Arguments go to Tests/Services/Console/run.py.
#
#   Scripts/console.sh --case slider --pictures /tmp/pictures
#   Scripts/console.sh --case approved --approve
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Scripts/test-flags.sh

# Where there is no apt-get, a browser that is not installed skips everything.
if command -v apt-get >/dev/null; then
    Scripts/setup.sh python3 chromium curl fonts-inter fonts-dejavu-core fonts-noto-color-emoji
    python3 -c 'import ensurepip, venv' 2>/dev/null || Scripts/setup.sh python3-venv
fi

if [[ " $* " != *" --pushpipe "* ]]; then
    pushpipe=$(build_command)
    set -- --pushpipe "$pushpipe" "$@"
fi

# Without axe-core, our own checks of accessibility run alone; without Pillow, no pictures are compared.
folder=.build/console
words=()
python=python3
if [[ -d $folder/bin ]] || python3 -m venv "$folder" 2>/dev/null; then
    "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement Tests/Services/Console/requirements.txt || true
    axe=$(find "$folder" -name axe.min.js | head -1)
    if [[ -n $axe ]]; then words=(--axe "$axe"); fi
    python=$folder/bin/python
fi

exec "$python" Tests/Services/Console/run.py ${words[@]+"${words[@]}"} "$@"
