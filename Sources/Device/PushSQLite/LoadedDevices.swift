import PayloadJSON
import PushStore

/// The devices of which everything in the file is in memory. A device is loaded whole, when it is first touched, and all are let go together.
///
/// Nothing else knows what is loaded: whatever reads or changes a device in memory touches it first.
final class LoadedDevices {
    private struct Name: Hashable {
        let text: BorrowedText

        static func == (left: Self, right: Self) -> Bool { left.text == right.text }

        func hash(into hasher: inout Hasher) {
            // SOUND: the text is in `texts`, or is borrowed for the duration of a lookup.
            unsafe hasher.combine(bytes: text.bytes)
        }
    }

    /// True while every device of the file is in memory, as in a new store, so that none has to be loaded.
    private(set) var areAll = false
    /// Loads what each table has about a device.
    var load: (_ device: BorrowedText) throws -> Void = { _ in }
    private var names: Set<Name> = []
    private var texts = ScratchArena()
    /// The device that was touched last: a message touches its own several times.
    private var last: BorrowedText?
    /// The questions whose answers have been touched: devices that are not in memory do not change.
    private var answered: Set<[String]> = []
    /// More are asked again.
    private static let mostAnswered = 1 << 16

    /// How many have been loaded one by one, with those of which the file has nothing.
    var count: Int { names.count }

    func begin(areAll: Bool) { self.areAll = areAll }

    func forget() {
        areAll = false
        names.removeAll(keepingCapacity: true)
        texts.reset()
        last = nil
        answered.removeAll()
    }

    /// Has a device in memory, with everything that the file has about it.
    func touch(_ device: BorrowedText) throws {
        if areAll { return }
        if let last, last == device { return }
        if let known = names.firstIndex(of: Name(text: device)) {
            last = names[known].text
            return
        }
        // SOUND: the text is copied within the call.
        let name = unsafe texts.copy(device.bytes)
        names.insert(Name(text: name))
        last = name
        try load(name)
    }

    func touch(_ device: String) throws {
        if !areAll { try BorrowedText.with(device) { try touch($0) } }
    }

    /// Touches the devices whose names a statement returns for some values.
    func touch(answersTo question: PreparedStatement, _ values: String...) throws {
        if areAll { return }
        if answered.count >= Self.mostAnswered { answered.removeAll(keepingCapacity: true) }
        guard answered.insert([question.sql] + values).inserted else { return }
        question.bind(values)
        for device in try question.all({ $0.string(0) }) { try touch(device) }
    }
}
