import AppSimulation
package import ExtensionHosting
import PushDecoding
import PushModel
package import PushPipeline
import PushRedaction
package import PushStore
import PushText

/// The files that a job's options name, as read: enough for any number of pipelines.
package struct RunSetup {
    package var configuration: PipelineConfiguration
    let redaction: Redaction?
    /// True if nobody can use the redaction's key again.
    let isKeyRandom: Bool
    /// Nil without the linter's rules.
    let lint: RunLint?
    let preferences: PreferenceBook?
    /// Nil to show pushes without a service extension.
    let serviceExtension: ExtensionConfiguration?

    /// Opens a store, or creates it, and checks what it hides.
    ///
    /// - Parameter note: called with a line for people if no later run can continue the store.
    /// - Throws: `StoreError`; `RunError` if the store hides something else.
    package func open(_ location: StoreLocation, note: (String) -> Void = { _ in }) throws -> any StoreFile {
        let store: any StoreFile
        do { store = try location.open(hiding: redaction) } catch let error as RedactionMismatch {
            throw RunError("store \(location.path): \(error)" + configuration.decoding.advice(error.advice))
        }
        if isKeyRandom {
            note(
                "pushpipe: no later run can continue \(TerminalText.clean(location.path)), because its key is random"
                    + "\(configuration.decoding.advice(.keepRedactionKey))\n")
        }
        return store
    }

    /// Has the linter's rules of one of the job's inputs apply from now on.
    package func begin(_ input: String?) { lint?.begin(input) }

    /// A pipeline at the beginning of its input. Call `finish` of the host, if there is one, after its last use.
    package func pipeline(deliveringTo store: any DeliveryStore) throws -> (Pipeline, ExtensionHost?) {
        let host = try serviceExtension.map { try ExtensionHost($0) }
        let stages: [any DeliveryStage] = [RegistryStage()] + (host.map { [ServiceExtensionStage($0)] } ?? [])
        return (Pipeline(configuration, deliveringTo: store, stages), host)
    }
}
