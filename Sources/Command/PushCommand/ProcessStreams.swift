import PushRuns
import PushStreams
import PushSystem

extension StandardOutput: RunOutput {}

/// The streams of the process, as a run uses them.
struct ProcessStreams: RunStreams {
    func openOutput(writesInBackground: Bool) -> StandardOutput {
        StandardOutput(writesInBackground: writesInBackground)
    }

    func openOutput(to report: OpenReport, writesInBackground: Bool) -> StandardOutput {
        StandardOutput(report.descriptor, name: report.name, writesInBackground: writesInBackground)
    }

    var outputDescriptor: FileDescriptor { .standardOutput }

    func note(_ text: String) { StandardError.write(text) }

    func inviteInput() { StandardInput.invite("payloads") }

    func listenForStop() { StopSignal.listen() }

    var isStopped: Bool { StopSignal.current != nil }

    var stopReason: String { StopSignal.current.map(StopSignal.name) ?? "" }
}
