import ArgumentParser
import PushCommand
import PushJSON
import PushJSONSchema
import PushLintConfiguration
import PushModel
import PushReports
import PushSettings
import PushStreams
import PushSystem

/// `pushpipe schema`: contracts for the data that an app gets, and for device events.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print JSON Schemas: of events, and of the data in payloads, which lint --schema checks.",
        subcommands: [SchemaInferCommand.self, Events.self])

    struct Events: ParsableCommand {
        static let configuration = CommandConfiguration(
            named: "events", abstract: "Print the JSON Schema (draft 2020-12) of event records.")

        func run() throws { try StandardOutput().write(EventSchema.text) }
    }
}

struct SchemaInferCommand: ConfiguredCommand {
    static let configuration = CommandConfiguration(
        named: "infer",
        abstract: "Write a JSON Schema (draft 2020-12) that fits the custom data of all payloads.",
        discussion: """
            Reads each FILE in turn, or standard input if there is none or FILE is -. The schema lists the properties with their types, \
            requires those that every payload has, and names the formats date-time, date, uuid and uri where all strings have it. What \
            Apple defines, aps, is left out.

              pushpipe schema infer pushes.ndjson > push.schema.json
              pushpipe lint --schema push.schema.json pushes.ndjson
            """)

    @Argument(help: ArgumentHelp("Files with records.", valueName: "file"), completion: .file())
    var files: [String] = []
    @Option(help: ArgumentHelp("Describe only this part of payloads, such as /order.", valueName: "json-pointer"))
    var pointer = ""
    @Flag(name: .customLong("enum"), help: "List the values of strings that are few, short and repeated.")
    var enumerations = false
    @Flag(help: "Permit no other properties than those that the samples have.")
    var closed = false
    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false
    @Option(help: "Read every record as this format. (default: recognized from its keys)")
    var provider: RecordFormat?
    @OptionGroup var common: CommonArguments

    func plan(_ settings: Settings) throws -> SchemaSampler {
        guard let tokens = JSONPointer.tokens(pointer) else {
            throw ValidationError("--pointer is a JSON Pointer such as /order.")
        }
        var inference = SchemaInference.Options()
        inference.hasEnumerations = enumerations
        inference.isClosed = closed
        return SchemaSampler(try settings.lintOptions(settings.decoding(as: provider)), inference, pointer: tokens)
    }

    func run(_ settings: Settings) throws {
        let sampler = try plan(settings)
        if !quiet, files.isEmpty || files.contains("-") { StandardInput.invite("payloads") }
        for file in files.isEmpty ? ["-"] : files { try sampler.read(file == "-" ? nil : file) }
        guard sampler.count > 0 else { throw PlainError("no payload found to infer a schema from") }
        try StandardOutput().write(sampler.schema())
        if quiet { return }
        let skipped = sampler.malformed == 0 ? "" : "; \(sampler.malformed) records are not JSON, and were left out"
        let payloads = sampler.count == 1 ? "1 payload" : "\(sampler.count) payloads"
        StandardError.write("pushpipe: inferred from \(payloads)\(skipped)\n")
    }
}
