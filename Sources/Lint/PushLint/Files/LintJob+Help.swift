extension LintJob {
    /// What the help of `pushpipe lint` says.
    package static let help = """
        Reads each FILE in turn, or standard input if there is none or FILE is -. In a directory, reads what ends in \
        .json, .ndjson, .jsonl or .apns and may be a payload, except hidden files and those that .gitignore or .ignore names. \
        The nearest .pushpipe.yml above each file selects the rules.

          pushpipe lint payload.json
          pushpipe lint --fix --dry-run payload.json | patch -p0
          curl -s https://example.org/a | pushpipe lint --format ndjson | jq -r .rule
          pushpipe lint --budget-report payload.json
          pushpipe lint --schema order.schema.json payloads/
          pushpipe lint --ignore gcm --extend aps.category-without-alert payloads/

        Exit status: 0 without errors, 1 with errors (with --strict, also with warnings), 2 for a usage error, an \
        unreadable file, or nothing to check, 128 plus the signal number after an orderly stop. pushpipe rules lists the rules; pushpipe explain RULE explains one.
        """
}
