extension ScenarioSuite {
    /// What the help of `pushpipe test` says.
    package static let help = """
        Reads feature files (Gherkin), or standard input when there is no FILE; - is standard input too. In a directory, it reads all \
        .feature files at any depth, except hidden ones. FILE:LINE runs the scenario, examples row, rule or feature at that line. \
        Each scenario has its own devices.

          pushpipe test Samples/Scenarios
          pushpipe test --dry-run replacement.feature
          pushpipe test --tags "@android and not @slow" features/
          pushpipe test --format junit features/ > report.xml
          pushpipe test --list-steps

        Exit status: 0 when every scenario passed, 1 when one failed or has an undefined or ambiguous step, 2 for wrong usage, when \
        there is no scenario to run, or when a file cannot be read or is not Gherkin; then nothing is run.
        """
}
