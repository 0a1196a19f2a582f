extension ExtensionBuilder {
    /// What the help of `pushpipe extension build` says.
    package static let help = """
        Builds Swift files, or the files below a folder, with pushpipe's UserNotifications. The command compiles copies without @objc, \
        which the compiler rejects on Linux; nothing else changes. It finds the service class itself. Info.plist, .lproj folders, \
        .strings, .xcstrings, .entitlements and other resources go into the bundle as with Xcode, with build settings filled in. \
        Tests, projects and hidden files are left out.

          pushpipe extension build NotificationService/
          pushpipe extension build NotificationService.swift Info.plist --output build
          pushpipe extension build MyService/ --module SharedKit=Shared/Sources
          pushpipe extension build --project App.xcodeproj --target NotificationService
          pushpipe run --extension "$(pushpipe extension build MyService/)" push.json

        Prints only the path of the .appex to standard output. The first build also compiles and caches pushpipe's modules. \
        Extensions can import Foundation, UserNotifications, and pushpipe's modules with Apple's names, such as os.

        Exit status: 0 if the build succeeded, 1 if it failed, 2 for a usage error, an unreadable file, or a missing class.
        """

    package static let projectHelp = "Xcode project or workspace with the extension's target."
    package static let targetHelp = "Target of the project. (default: its only service extension)"
    package static let moduleHelp = "Module that the extension imports, from a folder of Swift files. Repeatable."
    package static let packageHelp = "Swift package that the extension imports. Repeatable."
    package static let entitlementsHelp =
        "Entitlements file. (default: the one named like the extension, else the one for releases)"
}
