// compiles
import PushLint
import PushPipeline
import PushpipeTesting

// What the mistakes are about, done right.

/// Has a name that a type of `PushpipeServer` has, too.
struct Message { var text: String }

func texts(_ messages: [Message], _ received: [PushpipeServer.Message]) -> [String] {
    messages.map(\.text) + received.map(\.text)
}

let device = PushpipeServer.Device("ab12", isUnregistered: true)
let rule = try? RuleID("aps.misspelled-key")

struct House: RecordStage {
    func process(_ message: inout PushMessage, context: StageContext) throws {
        if message.thread == nil { context.reject(&message, rule: "house.thread-id", because: "no thread") }
    }
}

final class Counter: DeliveryObserver, DeviceEventHandler {
    private var titles: [String?] = []
    private var events = 0

    func process(_ message: inout PushMessage, context: DeliveryContext) { titles.append(message.title) }

    func didDeliver(_ message: borrowing PushMessage, result: DeliveryResult?, context: DeliveryContext) throws {
        titles.append(message.body)
    }

    func handle(_ event: DeviceEvent, context: DeliveryContext) throws -> EventResult? {
        events += 1
        return nil
    }
}

func kept(_ text: String) throws -> (reports: [PushReport], printers: [() -> Void]) {
    var reports: [PushReport] = []
    var printers: [() -> Void] = []
    try Pipeline().process(text) { line in
        let report = PushReport(line)
        reports.append(report)
        printers.append { print(report) }
    }
    return (reports, printers)
}
