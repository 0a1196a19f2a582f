import ArgumentParser

/// A command that turns its arguments into a plan before it works.
protocol PlannedCommand: ParsableCommand {
    associatedtype Plan

    /// - Throws: `ValidationError` for values and combinations that cannot be.
    func plan() throws -> Plan
}

extension PlannedCommand {
    /// Plans here, too, so that errors come with the usage of this command.
    func validate() throws { _ = try plan() }
}
