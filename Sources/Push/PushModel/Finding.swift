public import PushJSON
package import PushText

/// A fact about a record that its reader should know, with a rule and a place.
public struct Finding: Sendable, Equatable {
    /// How much a finding matters.
    public enum Severity: String, Sendable, CaseIterable, Comparable {
        /// Worth knowing; nothing is lost.
        case info
        /// Something is ignored, or works on some devices only.
        case warning
        /// The service refuses the message, or nothing is shown.
        case error

        /// Orders by severity, `info` first.
        public static func < (left: Severity, right: Severity) -> Bool {
            left.rank < right.rank
        }

        private var rank: Int { self == .error ? 2 : self == .warning ? 1 : 0 }
    }

    /// A dotted name in kebab case, such as `json.duplicate-key`.
    public var rule: String
    /// How much it matters.
    public var severity: Severity
    /// JSON Pointer (RFC 6901) into the record. It continues inside JSON that is in a string.
    public var pointer: String
    /// A one-line description.
    public var message: String
    /// The service's answer about it; nil if the answer is not known, or there is none.
    package var detail: Detail?

    /// A part of the body of a service's answer.
    package enum Detail: Sendable, Equatable {
        /// A value that the parser of a Google service does not read, as `google.rpc.BadRequest`: the path of the field,
        /// empty for the whole request. The description is the finding's message.
        case fieldViolation(String)
        /// A refusal of FCM after parsing: the path of the field, and FCM's description.
        case fcmError(field: String, description: String)
        /// The reason of APNs that FCM hands on, as `google.firebase.fcm.v1.ApnsError`.
        case apnsError(Rejection)
    }

    /// Creates a finding.
    public init(rule: String, severity: Severity, pointer: String, message: String) {
        self.rule = rule
        self.severity = severity
        self.pointer = pointer
        self.message = message
    }

    /// The most findings that are kept per record.
    package static let maximumPerRecord = 64
}

/// Why a record contains no message. Reports have each of its members.
public struct DecodeFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// One of the rules in `Documentation/reference/report.md`.
    public var rule: String
    /// A one-line description.
    public var message: String
    /// Offset in bytes from the record's first byte.
    public var offset: Int
    /// Line and column of `offset`, set when the record is available.
    public var position = TextPosition(line: 1, column: 1)
    /// The linter's rule for what `json.syntax` means here, such as `json.trailing-comma`; nil if there is none that says more.
    public var cause: String?
    /// True if the linter fixes the record.
    public var isFixable = false

    /// The rule and the message.
    public var description: String { "\(rule): \(message)" }

    /// Creates a failure. Its position is set when the record is available.
    package init(rule: String, message: String, offset: Int = 0) {
        self.rule = rule
        self.message = message
        self.offset = offset
    }
}

extension String {
    /// The text with a space for each line break: a message may quote a name, and a name may contain anything.
    package var onOneLine: String {
        // Line breaks are control characters, or begin with one of these bytes: U+0085, U+2028 and U+2029.
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0xC2 || $0 == 0xE2 }), contains(where: \.isNewline) else {
            return self
        }
        return String(map { $0.isNewline ? " " : $0 })
    }
}

extension TextStyle {
    package func outcome(_ outcome: Outcome, _ text: String) -> String {
        switch outcome {
        case .delivered, .presented, .started: paint("32", text)
        case .replaced, .reposted, .updated, .ended: paint("36", text)
        case .silent, .held, .suppressed, .expired, .discarded, .ignored: paint("33", text)
        case .applied, .fannedOut: paint("2", text)
        case .rejected, .malformed: paint("31", text)
        }
    }

    package func severity(_ severity: Finding.Severity, _ text: String) -> String {
        switch severity {
        case .info: paint("36", text)
        case .warning: paint("33", text)
        case .error: paint("31", text)
        }
    }

    /// A finding, indented: its severity, place, message and rule, and where its record is, if that is given.
    package func line(_ finding: Finding, indent: Int, place source: String? = nil) -> String {
        var line = FlowingLine(self, indent: indent + 2, startingAt: indent)
        line.appendCell(finding.severity.rawValue, to: 0) { severity(finding.severity, $0) }
        let place = finding.pointer.isEmpty ? "" : "\(Self.clean(finding.pointer)): "
        line.appendWords(place + Self.clean(finding.message))
        line.append(finding.rule, dim)
        if let source { line.append(source, dim) }
        return line.text
    }
}

/// A remedy for a problem that a library reports.
///
/// A library says what is wrong. Only the program that runs it knows what sets a value, so it words the advice.
package enum Advice: Sendable, Equatable {
    /// The words, with what separates them from the text before; empty for none.
    package typealias Wording = @Sendable (Advice) -> String

    /// The words of a program that has nothing to set.
    package static let unsaid: Wording = { _ in "" }

    /// Read the payload under this key, or at its place in the record.
    case readPlace(String?)
    /// Read every record in one format, as requests to FCM, as payloads for APNs, without the text before an object, or if it is longer.
    case forceFormat, readAsFCM, readAsAPNs, skipPrefix, acceptLongRecords
    /// Correct so many records, or read them as they are.
    case readRelaxed(UInt64)
    /// State where the records of a log are: at this pointer, if there is one, and after other text.
    case statePlace(String?, afterText: Bool)
    /// Read the other payload of each line, too.
    case readOtherPlace(String, afterText: Bool)
    /// Take the times of records from this place in their lines.
    case takeTimes(String)
    /// Read more of a compressed file.
    case acceptRatio
    /// Pass pushes without `mutable-content` through an extension, too.
    case assumeMutable
    /// Accept inputs without a record, continue where the run ended, begin at another time, or write records as they came in.
    case acceptEmpty, resume, setClock, emitInput
    /// Use a key that later runs have, too; pass the key of the store to an export, or to a run; redact the store.
    case keepRedactionKey, passRedactionKey, repeatRedactionKey, redactStore
    /// Redact these parts, as the store does.
    case repeatRedaction(String)
    /// Approve snapshots, replace the parts in a folder, write all parts to one stream, or print a file of faults.
    case approve, replaceParts, joinParts, showFaultExamples
    /// Read the rest of a part or merge without it, merge what is there, or take a store's contents into another one.
    case completePart, mergePartially, exportAndImport
    /// Ask a store for the settings of this device, which are in the way of a push.
    case askDevice(String)
    /// Stand in for a module.
    case standIn(module: String)
    /// Name folders of modules or packages, or the clone of a package.
    case bringModules, clonePackage
    /// Give a build setting a value.
    case giveSetting(String)
    /// Fix findings, or show all of a rule.
    case fix, unfold
    /// List files that are not payloads; true if there are several.
    case listOthers(areMany: Bool)
    /// Show findings of this severity, too.
    case showSeverity(Finding.Severity)
}
