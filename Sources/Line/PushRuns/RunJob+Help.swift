extension RunJob {
    /// What the help of `pushpipe run` says.
    package static let help = """
        Reads each FILE in turn, or standard input if there is none or FILE is -. Writes one report line per message to standard \
        output: NDJSON in a pipe, aligned text on a terminal. Prints a summary to standard error.

          pushpipe run payloads.ndjson | jq 'select(.outcome == "rejected")'
          … | pushpipe run --fit --emit accepted --report-file report.ndjson | sender
        """

    /// What the help of `pushpipe trace` says.
    package static let traceHelp = """
        Reads and delivers as run does. Instead of report lines, shows for each message what was decoded from the record, what --fit \
        and --extension changed, what the linter found, and how the screen changed. The same as run --trace --rules --quiet \
        --jobs 1.

          head -1 payloads.ndjson | pushpipe trace --extension NotificationService.appex
        """

    /// What the help of `pushpipe` itself says.
    package static let overview = """
        Reads APNs, GCM and FCM payloads. Parses each one, checks it against its byte budget and its provider's rules, delivers it \
        to a simulated Notification Center, and reports the outcome in one line.

          echo '{"aps":{"alert":"Hi"}}' | pushpipe run
          pushpipe lint payload.json

        Exit status: 0 on success; 1 if --fail-on matched, the linter found errors, a scenario did not pass, a snapshot \
        differs, an extension build failed, a preference change was rejected or a store has no such device; 2 for a usage error, \
        unreadable input, nothing to lint or an unusable store; 128 plus the signal number after an orderly stop by SIGHUP, SIGINT or SIGTERM.
        """
}
