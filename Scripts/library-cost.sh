#!/usr/bin/env bash
# library-cost.sh [PRODUCT...]: prints for each library what a package that uses it fetches, and the processor time of its first debug build,
# in seconds. The status is 1 if a product fetches what it does not need. The packages depend on a clone of this commit by URL and version.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Product, trait, and the packages beside Yams and swift-collections that its users may fetch.
products() {
    printf '%s\n' 'PushPipeline' 'PushLint' 'PushScenarios' 'ServiceExtensionTesting' 'PushSQLite' \
        'PushpipeTesting Testing swift-atomics swift-nio swift-nio-http2 swift-system'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet --bare . "$work/pushpipe"
git -C "$work/pushpipe" -c user.name=release -c user.email=release@example.org tag 0.2.0 "$(git rev-parse HEAD)"
status=0
while read -r product trait allowed; do
    [[ $# == 0 || " $* " == *" $product "* ]] || continue
    user=$work/$product
    mkdir -p "$user/Sources/User"
    cat >"$user/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "user",
    dependencies: [.package(url: "file://$work/pushpipe", from: "0.2.0", traits: [${trait:+\"$trait\"}])],
    targets: [.target(name: "User", dependencies: [.product(name: "$product", package: "pushpipe")])])
END
    printf 'import %s\n' "$product" >"$user/Sources/User/User.swift"
    swift package --package-path "$user" --cache-path "$work/cache" resolve 2>/dev/null
    fetched=$(ls "$user/.build/checkouts")
    for package in $fetched; do
        [[ " pushpipe swift-collections Yams $allowed " == *" $package "* ]] || status=1
    done
    TIMEFORMAT='%U %S'
    seconds=$( (time swift build --package-path "$user" --cache-path "$work/cache" >"$work/log" 2>&1) 2>&1) || { cat "$work/log" >&2; exit 1; }
    printf '%s: %.0f s, fetches %s\n' "$product" "$(awk '{ print $1 + $2 }' <<<"$seconds")" "$(tr '\n' ' ' <<<"$fetched")"
    rm -rf "$user"
done < <(products)
exit "$status"
