import Foundation
import PackagePlugin

/// Compiles `Sources/Apple/Shims/Overlay` into a target, so that calls of Foundation in it get what Apple's systems do, where Foundation for Linux
/// does something else.
@main
struct AppleFoundation: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let overlay = root.appendingPathComponent("Sources/Apple/Shims/Overlay/Overlay.swift")
        let output = context.pluginWorkDirectoryURL.appendingPathComponent("AppleFoundation.swift")
        // On Apple's systems the file is empty.
        let script = #"{ echo '#if os(Linux)'; cat "$1"; echo '#endif'; } > "$2""#
        return [
            .buildCommand(
                displayName: "Foundation as on Apple's systems", executable: URL(fileURLWithPath: "/bin/sh"),
                arguments: ["-c", script, "sh", overlay.path, output.path], inputFiles: [overlay],
                outputFiles: [output])
        ]
    }
}
