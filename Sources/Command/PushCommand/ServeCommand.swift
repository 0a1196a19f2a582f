import ArgumentParser
import PushRuns
import PushServices
import PushStreams

/// `pushpipe serve`.
struct ServeCommand: TextCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer push senders as APNs and FCM do, and deliver what they send to simulated devices.",
        discussion: CommandHelp.serve)

    @Option(help: ArgumentHelp("Address to listen on; port 0 picks a free one.", valueName: "address:port"))
    var listen = "127.0.0.1:2197"
    @Option(help: ArgumentHelp("Address of a proxy for Apple's and Google's hosts.", valueName: "address:port"))
    var proxy: String?
    @Option(help: ArgumentHelp("Address for APNs' binary interface of 2013.", valueName: "address:port"))
    var binaryGateway: String?
    @Option(help: ArgumentHelp("Address for the feedback service of that interface.", valueName: "address:port"))
    var feedback: String?
    @Option(help: ArgumentHelp("Certificate chain in PEM. (default: a development certificate)", valueName: "file"))
    var tlsCert: String?
    @Option(help: ArgumentHelp("Private key of --tls-cert, in PEM.", valueName: "file")) var tlsKey: String?
    @Flag(name: .customLong("print-ca"), help: "Print the certificate that clients must trust, and exit.")
    var printsAuthority = false
    @Flag(help: "Ignore provider tokens; by default, a token that is sent must be well-formed and fresh.")
    var noAuth = false
    @Option(help: ArgumentHelp("Require provider tokens that name this key.", valueName: "id")) var keyID: String?
    @Flag(help: "Allow one stream before the first valid provider token, as APNs does.") var oneStreamFirst = false
    @Option(help: ArgumentHelp("Require provider tokens of this team.", valueName: "id")) var teamID: String?
    @Option(help: ArgumentHelp("Require provider tokens of this key: a .p8 file or its public key.", valueName: "file"))
    var providerKey: String?
    @Option(help: ArgumentHelp("Require access tokens issued to this service account.", valueName: "file"))
    var serviceAccount: String?
    @Option(help: ArgumentHelp("Apps and access keys of Airnotifier, in JSON. (default: any)", valueName: "file"))
    var airnotifier: String?
    @Option(help: ArgumentHelp("Wikimedia's service: delay sending by a random time up to this.", valueName: "time"))
    var flushDelay = "0s"
    @Option(help: ArgumentHelp("File with fault rules; --faults examples prints one to start from.", valueName: "file"))
    var faults: String?
    @Option(help: ArgumentHelp("Append what is received, as records for run.", valueName: "file")) var record: String?
    @Option(help: ArgumentHelp("Require this access key, or the one in @FILE, for the API.", valueName: "key|@file"))
    var accessKey: String?
    @OptionGroup(visibility: .hidden) var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var end: EndArguments
    @OptionGroup var work: WorkArguments
    @Option(help: "Report format: ndjson, text or none. (default: text on a terminal, else ndjson)")
    var format: ReportForm?
    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false
    @OptionGroup(title: "Appearance") var look: OutputArguments

    /// Validates here, so that errors come with the usage of this command.
    func validate() throws { _ = try job(RunPlan(self).job) }

    func run() throws {
        let network = try CommandProcess.neededNetwork()
        if let text = try GatewayJob.text(printsAuthority: printsAuthority, faults: faults, network) {
            return try StandardOutput().write(text)
        }
        try RunPlan(self).execute { try job($0).serve(over: network, to: $1) }
    }

    private func job(_ run: RunJob) throws -> GatewayJob {
        var options = GatewayOptions()
        options.listen = listen
        options.proxy = proxy
        options.binaryGateway = binaryGateway
        options.feedback = feedback
        options.certificatePath = tlsCert
        options.certificateKeyPath = tlsKey
        options.ignoresTokens = noAuth
        options.providerKeyPath = providerKey
        options.accessKey = accessKey
        options.keyID = keyID
        options.teamID = teamID
        options.allowsOneStreamFirst = oneStreamFirst
        options.serviceAccountPath = serviceAccount
        options.airnotifierPath = airnotifier
        options.flushDelay = flushDelay
        options.faultsPath = faults
        options.recordPath = record
        return try validated(GatewayJob(run, options))
    }
}
