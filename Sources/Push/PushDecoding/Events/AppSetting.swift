package import PayloadJSON
package import PushModel

/// How a setting of an app is kept: taking over what events say, forgetting it, and storing it as a member of the app's text.
///
/// The settings that events have are in `EventMember.table`.
package struct AppSetting: Sendable {
    /// What an app says beside an entry that stands for every app, and has no value of its own.
    package enum Absence: Sendable {
        case nothing
        /// The usual value.
        case said
        /// The usual value, if every app has another one.
        case contradicted
        /// That it is to be forgotten, if every app has a value.
        case forgotten
    }

    /// The name of its member in the stored text.
    package let name: StaticString
    package let beside: Absence
    package let isStored: Bool
    package let isIndexed: Bool
    /// Takes over what an event says.
    package let merge: @Sendable (_ said: AppSettings, inout AppSettings) -> Void
    package let forget: @Sendable (inout AppSettings) -> Void
    /// True if it has a value.
    package let isSaid: @Sendable (AppSettings) -> Bool
    /// Says what an app does not have, beside what is said of every app.
    package let describeAbsence: @Sendable (inout AppSettings, _ everyApp: AppSettings) -> Void
    /// Reads a value of the stored text. One of another form changes nothing, in case another program wrote it.
    package let read: @Sendable (JSONView, inout AppSettings) -> Void
    /// Appends the member of the stored text, or nothing without a value.
    package let append: @Sendable (AppSettings, inout ByteBuffer) -> Void

    /// - Parameters:
    ///   - usual: what every app begins with, and is not kept; nil for what is not known without an event.
    ///   - beside: what an app says that has no value, beside one that stands for every app.
    ///   - isStored: false if it has a place of its own in a store.
    ///   - isIndexed: true if `DeviceRegistry` keeps an index of its values, and takes them over itself.
    init<Value: Equatable>(
        _ name: StaticString, _ form: EventForm<Value>, _ place: MemberPlace<AppSettings, Value?>,
        usual: Value? = nil, beside: Absence = .nothing, isStored: Bool = true, isIndexed: Bool = false
    ) {
        self.name = name
        self.beside = beside
        self.isStored = isStored
        self.isIndexed = isIndexed
        merge = { said, kept in
            if let value = place.value(in: said) { place.set(value == usual ? nil : value, in: &kept) }
        }
        forget = { place.set(nil, in: &$0) }
        isSaid = { place.value(in: $0) != nil }
        describeAbsence = { own, everyApp in
            guard place.value(in: own) == nil else { return }
            if beside == .said || beside == .contradicted && place.value(in: everyApp) != nil {
                place.set(usual, in: &own)
            }
        }
        read = { view, kept in
            if let value = try? form.read(view) { place.set(value, in: &kept) }
        }
        append = { kept, out in
            if let value = place.value(in: kept) { form.append(name, value, &out) }
        }
    }

    /// A setting that no member of `device` events says.
    package init<Value: Equatable>(
        _ name: StaticString, _ form: EventForm<Value>, _ place: any WritableKeyPath<AppSettings, Value?> & Sendable
    ) {
        self.init(name, form, MemberPlace(place))
    }

    /// The settings that events have.
    package static let table = EventMember.table.compactMap(\.setting)
}

/// Where a value is in an event or in settings. It is read and written in place: a key path copies all of what it is in.
struct MemberPlace<Root, Value>: Sendable {
    private let path: any WritableKeyPath<Root, Value> & Sendable
    /// In bytes; nil for a value that `Root` computes.
    private let offset: Int?

    init(_ path: any WritableKeyPath<Root, Value> & Sendable) {
        self.path = path
        offset = MemoryLayout<Root>.offset(of: path)
    }

    @inline(__always)
    func value(in root: borrowing Root) -> Value {
        // SOUND: the value lives as long as the root, which is borrowed.
        guard let offset else { return (copy root)[keyPath: path] }
        return unsafe withUnsafeBytes(of: root) { root in
            unsafe (root.baseAddress.unsafelyUnwrapped + offset).assumingMemoryBound(to: Value.self).pointee
        }
    }

    @inline(__always)
    func set(_ value: Value, in root: inout Root) {
        // SOUND: the root is accessed exclusively.
        guard let offset else {
            root[keyPath: path] = value
            return
        }
        unsafe withUnsafeMutableBytes(of: &root) { root in
            unsafe (root.baseAddress.unsafelyUnwrapped + offset).assumingMemoryBound(to: Value.self).pointee = value
        }
    }
}
