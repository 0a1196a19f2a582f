extension PreferenceFile {
    /// What the help of `pushpipe preferences set` says.
    package static let help = """
        Acts as the app's settings screen does: turning on the first type requests permission, which is granted, and registers the \
        device; then the setting is saved on the wiki. A new device is logged out and has everything off.

          pushpipe preferences set mention on cx off --account Anna
          pushpipe preferences set --permission denied
          pushpipe preferences set mention on --dry-run

        Exit status 1 if a change was rejected: by the wiki (--answer), or because permission was denied or registration failed.
        """
}
