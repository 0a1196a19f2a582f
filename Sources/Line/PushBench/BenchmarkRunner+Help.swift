extension BenchmarkRunner {
    /// What the help of `pushpipe bench` says.
    package static let help = """
        Runs each FILE, or standard input if there is none or FILE is -, again and again as run does, and throws the reports away. \
        Prints records per second, time per stage, the latency of a record that comes alone, and peak memory. Takes the options of run \
        that say how records are processed. Without any input, on a terminal, measures generated traffic.

          pushpipe bench traffic.ndjson --save before.json
          pushpipe bench traffic.ndjson --compare before.json
        """
}
