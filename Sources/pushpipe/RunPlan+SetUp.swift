import AppSimulation
import DeviceRegistry
import ExtensionHost
import NotificationStore
import PreferenceFiles
import PushPipeline

/// What a plan's options name, read from its files: enough for any number of pipelines.
struct RunSetup {
    var configuration: PipelineConfiguration
    let redaction: Redaction?
    let preferences: PreferenceBook?
    /// Nil to show pushes without a service extension.
    let serviceExtension: ExtensionConfiguration?

    /// Opens a store, or creates it, and checks what it hides.
    func openStore(_ path: String) throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        do { try store.take(redaction) } catch let error as RedactionMismatch {
            throw Failure.trouble("store \(path): \(error)")
        }
        return store
    }

    /// A pipeline at the beginning of its input. Call `finish` of the host, if there is one, after its last use.
    func pipeline(deliveringTo store: any DeliveryStore) throws -> (Pipeline, ExtensionHost?) {
        let host = try serviceExtension.map { try ExtensionHost($0) }
        let stages: [any DeviceStage] = [RegistryStage()] + (host.map { [ServiceExtensionStage($0)] } ?? [])
        return (Pipeline(configuration, deliveringTo: store, deviceStages: stages), host)
    }
}

extension RunPlan {
    /// A store in memory with what this plan can ask for.
    func memoryStore() -> MemoryStore {
        // Nothing else can ask for a notification that is on a screen; a tap does so when a file says where it leads.
        let showsContent = showsScreen || serviceExtension != nil || output == .trace || typesPath != nil
        return MemoryStore(keepsJournal: false, keepsContent: showsContent)
    }

    /// Reads the files that the options name, and finds the extension's executable.
    func setUp() throws -> RunSetup {
        var (configuration, redaction) = try completeConfiguration()
        if let typesPath {
            let app = try PreferenceConfiguration.read(typesPath)
            (configuration.devicePolicy.typeMapping, configuration.devicePolicy.tapRoutes) = (app.mapping, app.taps)
        }
        let preferences = try preferencesPath.map { try PreferenceFile(path: $0).read() }
        var serviceExtension = serviceExtension
        try serviceExtension?.findExecutable()
        return RunSetup(
            configuration: configuration, redaction: redaction, preferences: preferences,
            serviceExtension: serviceExtension)
    }
}
