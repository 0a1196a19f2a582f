import ArgumentParser
import PushGateway
import PushRuns

/// `pushpipe serve`.
struct ServeCommand: TextCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer push senders as APNs does, and deliver what they send to simulated devices.",
        discussion: """
            Listens for APNs requests over HTTP/2 or HTTP/1.1 and treats each as a record of run: checks it, delivers it, writes a report \
            line, and answers with APNs' status and reason. Serves until SIGINT, SIGTERM or SIGHUP; then answers what is in flight, and \
            prints a summary to standard error.

              pushpipe serve --store phone.db
              curl --http2-prior-knowledge -H apns-topic:org.example.app \\
                -d '{"aps":{"alert":"Hi"}}' http://127.0.0.1:2197/3/device/ab12
            """)

    @Option(
        help: ArgumentHelp(
            "Where to listen; port 0 is any free one. Only loopback is private.", valueName: "address:port"))
    var listen = "127.0.0.1:2197"

    @OptionGroup var arguments: RunArguments

    @OptionGroup var end: EndArguments

    @OptionGroup var work: WorkArguments

    @Option(help: "Report format: ndjson, text or none. (default: text on a terminal, else ndjson)")
    var format: ReportForm?

    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false

    @OptionGroup(title: "Appearance") var look: OutputArguments

    /// Validates here, so that errors come with the usage of this command.
    func validate() throws { _ = try (RunPlan(self), address()) }

    func run() throws {
        let address = try address()
        try RunPlan(self).execute { try GatewayJob($0, at: address).serve(to: $1) }
    }

    private func address() throws -> ListenAddress { try validated(ListenAddress(parsing: listen)) }
}
