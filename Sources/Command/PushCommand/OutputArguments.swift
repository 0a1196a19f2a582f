import ArgumentParser
package import PushStreams

extension OutputSettings.Colors: ExpressibleByArgument {}

/// Options of all commands that write text for people.
struct OutputArguments: ParsableArguments {
    @Option(help: "Whether to use colors; auto does on a terminal, and heeds NO_COLOR and FORCE_COLOR.")
    var color = OutputSettings.Colors.auto

    @Flag(help: "Allow lines that are wider than the terminal.")
    var wide = false

    @Flag(help: "On a terminal, show the output through the pager that PAGER names, or less.")
    var pager = false
}

/// A command that writes text for people.
protocol TextCommand: ParsableCommand {
    var look: OutputArguments { get }
}

extension TextCommand {
    /// Makes the process follow the options, and starts the pager if one is asked for.
    func applyLook() -> Pager? {
        OutputSettings.current = OutputSettings(colors: look.color, isWide: look.wide)
        return look.pager ? Pager.start() : nil
    }
}
