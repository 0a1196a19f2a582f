extension SnapshotJob {
    /// What the help of `pushpipe snapshot` says.
    package static let help = """
        Runs each FILE on phones of its own; in a directory, each that ends in .json, .ndjson, .jsonl, .apns or .feature, except \
        hidden files, those that .gitignore or .ignore names, and .json files that cannot be payloads. What the phones show is \
        approved in a file with the same name and .phone after it.

          pushpipe snapshot payloads/
          pushpipe snapshot --update payloads/

        Two runs must not differ, so --store, --clock wall and --redact without a key are refused.

        Exit status: 0 if all is as approved, 1 if something differs or is new, an input is gone, or a scenario does not pass, \
        2 for a usage error, an unreadable file, or nothing to run.
        """
}
