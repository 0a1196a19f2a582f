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
    /// Read every record in one format, as requests to FCM, without the text before an object, if it is longer, or if it is not strict JSON.
    case forceFormat, readAsFCM, skipPrefix, acceptLongRecords, readRelaxed
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
