extension RulePages {
    /// What the help of `pushpipe rules` says.
    package static let help = """
        Lists all rules, or only the named rules and groups. pushpipe explain RULE explains one.

          pushpipe rules
          pushpipe rules aps alert
          pushpipe rules --format ndjson | jq -r 'select(.severity == "error") | .id'
          pushpipe rules --format markdown --output pages/
        """
}
