#!/usr/bin/env bash
# Builds the documentation as a site that any web server can serve, into .build/site: the pages of the repository with a search, a page for
# each rule and step, and below api/ the libraries' documentation. Checks every link, and that no page loads anything from another host.
#
#   Scripts/site.sh [--without-api]    without the libraries' documentation, which takes a build
#
# SITE_URL     where the site will be, such as https://example.org/pushpipe/; by default at the root of a host
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

with_api=true
if [[ ${1-} == --without-api ]]; then with_api=false; fi

Scripts/setup.sh python3
tools=.build/site-tools
if [[ ! -x $tools/bin/mkdocs ]]; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || Scripts/setup.sh python3-venv
    python3 -m venv "$tools"
fi
"$tools/bin/pip" install --quiet --disable-pip-version-check --requirement Packaging/site/requirements.txt

# The pages with the same folders as in the repository, so that the links between them hold.
export SITE_SOURCE=$PWD/.build/site-source SITE_OUTPUT=$PWD/.build/site
rm -rf "$SITE_SOURCE" "$SITE_OUTPUT"
mkdir -p "$SITE_SOURCE/Benchmarks" "$SITE_SOURCE/Samples"
cp -R Documentation "$SITE_SOURCE/"
cp ./*.md "$SITE_SOURCE/"
cp Benchmarks/README.md "$SITE_SOURCE/Benchmarks/"
mkdir -p "$SITE_SOURCE/Benchmarks/results"
cp Benchmarks/results/*.svg "$SITE_SOURCE/Benchmarks/results/"
cp Samples/README.md "$SITE_SOURCE/Samples/"
cp Packaging/site/site.css "$SITE_SOURCE/"
if $with_api; then export SITE_HAS_API=1; fi
# Material's authors announce another product at each start.
NO_MKDOCS_2_WARNING=1 DISABLE_MKDOCS_2_WARNING=true "$tools/bin/mkdocs" build --strict --quiet --config-file Packaging/site/mkdocs.yml

if $with_api; then
    archives=()
    while IFS= read -r archive; do archives+=("$archive"); done < <(Scripts/docs.sh)
    merged=.build/docs/merged.doccarchive
    rm -rf "$merged"
    docc() { if command -v docc >/dev/null; then command docc "$@"; else xcrun docc "$@"; fi; }
    docc merge "${archives[@]}" --synthesized-landing-page-name pushpipe --output-path "$merged" >&2
    path=$(sed -E 's|^[a-z]+://[^/]*||; s|/*$||' <<<"${SITE_URL-}")
    docc process-archive transform-for-static-hosting "$merged" --output-path "$SITE_OUTPUT/api" --hosting-base-path "${path#/}/api" >&2
fi

Scripts/check-site.py "$SITE_OUTPUT"
printf '%s\n' "$SITE_OUTPUT"
