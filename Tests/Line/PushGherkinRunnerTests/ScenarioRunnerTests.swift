import PushGherkin
import Synchronization
import Testing

@testable import PushGherkinRunner

/// Matching and running, in a world of one number.
struct ScenarioRunnerTests {
    private func library() throws -> StepLibrary<Int> {
        var library = StepLibrary<Int>()
        try library.add(.given, "the number {int}", summary: "Sets it.", example: "Given the number 1") { world, step in
            world = try step.int(0)
        }
        try library.add(.when, "{int} is/are added", summary: "Adds.", example: "When 1 is added") { world, step in
            world += try step.int(0)
        }
        try library.add(.then, "the number is {int}", summary: "Tells.", example: "Then the number is 1") {
            world, step in
            let wanted = try step.int(0)
            if world != wanted { throw StepFailure("it is \(world)") }
        }
        try library.add(.when, "the sum of the rows", argument: .table, summary: "Adds.", example: "") { world, step in
            world += try step.rows().joined().compactMap { Int($0) }.reduce(0, +)
        }
        try library.add(.then, "the number is {word}", summary: "Ambiguous.", example: "") { _, _ in }
        return library
    }

    private func run(_ steps: String, isDryRun: Bool = false) throws -> ScenarioResult {
        let time = Mutex(0.0)
        let runner = ScenarioRunner(try library(), isDryRun: isDryRun) {
            time.withLock { time in
                time += 1
                return time
            }
        }
        return runner.runDirectly(try pickle(steps), makeWorld: { 40 })
    }

    private func pickle(_ steps: String) throws -> Pickle {
        let text = "Feature: f\nScenario: s\n" + steps
        return try #require(GherkinParser.parse(Array(text.utf8)).flatMap { Pickles($0).first { _ in true } })
    }

    @Test func `steps are run one after the other in the world of their scenario`() throws {
        let result = try run(
            "When 1 is added\nAnd 2 are added\nAnd the sum of the rows\n|3|4|\nThen the number is many\n")
        #expect(result.steps.map(\.status) == [.passed, .passed, .passed, .passed])
        #expect(result.status == .passed)
        #expect(result.seconds == 1)
    }

    @Test func `behind a step that fails, steps are skipped, and undefined ones are told all the same`() throws {
        var library = StepLibrary<Int>()
        try library.add(.then, "the number is {int}", summary: "", example: "") { world, step in
            let wanted = try step.int(0)
            if world != wanted { throw StepFailure("it is \(world)") }
        }
        let pickle = try pickle("Then the number is 7\nAnd the number is 40\nAnd the nmber is 40\n")
        let result = ScenarioRunner(library, seconds: { 0 }).runDirectly(pickle, makeWorld: { 40 })
        #expect(result.steps.map(\.status) == [.failed, .skipped, .undefined])
        #expect(result.steps.first?.message == "it is 40")
        #expect(result.status == .failed)
        #expect(result.failure?.step.location.line == 3)
    }

    @Test func `an undefined step tells how it was read, and what was meant`() throws {
        let result = try run("Given teh number 5\n")
        #expect(result.status == .undefined)
        let message = try #require(result.steps.first?.message)
        #expect(message.hasPrefix("no step matches; it was read as: teh number {int}\n"))
        #expect(message.contains("\n  did you mean: the number {int}"))
    }

    @Test func `a step that several patterns mean is ambiguous, and both are named`() throws {
        let result = try run("Then the number is 40\n")
        #expect(result.status == .ambiguous)
        #expect(
            result.steps.first?.message == "ambiguous step: it matches\n  the number is {int}\n  the number is {word}")
    }

    @Test(arguments: [
        ("When 1 is added\n|1|\n", "this step takes no doc string and no table"),
        (
            "When the sum of the rows\n",
            "this step needs a table below it, with a | before and after each cell, and takes no doc string"
        ),
        ("Given the number 99999999999999999999\n", "99999999999999999999 is out of range for {int}"),
        (
            "* " + String(repeating: "a", count: 8193),
            "the step is 8193 bytes long, the limit is 8192; put a payload in a doc string below it"
        ),
    ])
    func `a step that is used wrongly fails, in a dry run too`(steps: String, message: String) throws {
        for isDryRun in [false, true] {
            let result = try run(steps, isDryRun: isDryRun)
            #expect(result.status == .failed)
            #expect(result.steps.first?.message == message)
        }
    }

    @Test func `a dry run looks every step up, and runs none`() throws {
        let result = try run("Given the number 1\nThen the number is 2.0\nThen nothing of the kind\n", isDryRun: true)
        #expect(result.steps.map(\.status) == [.skipped, .skipped, .undefined])
        #expect(try run("Given the number 1\n", isDryRun: true).status == .skipped)
    }

    // MARK: - Steps that await something

    private func awaitingLibrary() throws -> StepLibrary<Int> {
        var library = StepLibrary<Int>()
        try library.add(.when, "{int} is added", summary: "Adds.", example: "When 1 is added") { world, step in
            world += try step.int(0)
        }
        try library.add(.when, "{int} is added later", summary: "Adds.", example: "When 1 is added later") {
            world, step in
            await Task.yield()
            world += try step.int(0)
        }
        try library.add(.then, "the number is soon {int}", summary: "Tells.", example: "Then the number is soon 1") {
            world, step in
            await Task.yield()
            guard world == (try step.int(0)) else { throw StepFailure("it is \(world)") }
        }
        return library
    }

    @Test func `steps that await something run in order among the others`() async throws {
        let runner = ScenarioRunner(try awaitingLibrary(), seconds: { 0 })
        let text = "When 1 is added\nAnd 2 is added later\nAnd 3 is added\nThen the number is soon 46\n"
        let result = await runner.run(try pickle(text), makeWorld: { 40 })
        #expect(result.steps.map(\.status) == [.passed, .passed, .passed, .passed])
        #expect(result.failure == nil)
    }

    @Test func `after a step that failed in waiting, steps are skipped, and undefined ones are reported`() async throws
    {
        let runner = ScenarioRunner(try awaitingLibrary(), seconds: { 0 })
        let text = "Then the number is soon 1\nWhen 1 is added\nAnd 2 is added later\nAnd 2 is added at last\n"
        let result = await runner.run(try pickle(text), makeWorld: { 40 })
        #expect(result.steps.map(\.status) == [.failed, .skipped, .skipped, .undefined])
        #expect(result.failure?.message == "it is 40")
    }

    @Test func `a world that cannot be made fails the first step`() async throws {
        let runner = ScenarioRunner(try awaitingLibrary(), seconds: { 0 })
        for text in ["When 1 is added\n", "When 1 is added later\n"] {
            let result = await runner.run(try pickle(text), makeWorld: { throw StepFailure("no world") })
            #expect(result.failure?.message == "no world")
        }
    }

    @Test func `a run that cannot wait fails at a step that has to`() throws {
        let runner = ScenarioRunner(try awaitingLibrary(), seconds: { 0 })
        var end: Int?
        let result = runner.runDirectly(
            try pickle("When 1 is added\nAnd 2 is added later\nAnd 3 is added\n"), makeWorld: { 40 }, end: { end = $0 })
        #expect(result.steps.map(\.status) == [.passed, .failed, .skipped])
        #expect(end == 41)
    }

    @Test func `a scenario without steps is pending`() throws {
        #expect(try run("").status == .pending)
    }

    @Test func `a summary counts scenarios and steps`() throws {
        var summary = ScenarioSummary()
        #expect(summary.text == "0 scenarios, 0 steps")
        summary.add(try run("Given the number 1\n"))
        #expect(summary.text == "1 scenario (1 passed), 1 step (1 passed)")
        #expect(!summary.hasFailure)
        summary.add(try run("Given nothing of the kind\nGiven the number 1\n"))
        #expect(summary.text == "2 scenarios (1 passed, 1 undefined), 3 steps (1 passed, 1 skipped, 1 undefined)")
        #expect(summary.hasFailure)
    }
}
