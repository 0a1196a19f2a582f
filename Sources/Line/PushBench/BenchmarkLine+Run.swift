import ExtensionHosting
import PushPipeline
package import PushRuns
import PushStore
import PushSystem

extension BenchmarkLine {
    /// A new pipeline with the job's devices registered, and a new store that is removed with it.
    ///
    /// - Parameter note: called with a line for people.
    /// - Throws: errors of `RunJob.setUp`, of the registration of devices and of the store.
    package init(
        _ job: RunJob, _ setup: RunSetup, measuresStages: Bool, note: @escaping (String) -> Void
    ) throws {
        var setup = setup
        setup.configuration.measuresStages = measuresStages
        let removeStore = {
            for suffix in ["", "-wal", "-shm"] {
                if let path = job.store?.path { try? FileSystem.removeFile(path + suffix) }
            }
        }
        do {
            let store: any DeliveryStore = try job.store.map { try setup.open($0) } ?? job.memoryStore()
            let (pipeline, host) = try setup.pipeline(deliveringTo: store)
            try job.registerDevices(setup, pipeline, note: note)
            self.init(pipeline, keepsReport: job.store != nil) {
                host?.finish()
                removeStore()
            }
        } catch {
            removeStore()
            throw error
        }
    }
}
