import ArgumentParser

/// `pushpipe devices`: the names of `store devices`, `store feedback`, `store held` and `schema events` until 0.2, which work for one more release.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "The old names of pushpipe store devices, store feedback, store held and schema events.",
        shouldDisplay: false,
        subcommands: [List.self, StoreCommand.Feedback.self, StoreCommand.Held.self, Schema.self])

    struct List: TextCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "The old name of pushpipe store devices.")

        @OptionGroup var command: StoreCommand.Devices
        var look: OutputArguments { command.look }

        func run() throws { try command.run() }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "The old name of pushpipe schema events.")

        func run() throws { try SchemaCommand.Events().run() }
    }
}
