import Foundation
import PushModel
import UserNotifications

/// Takes attachments over from an extension, as a device does: it moves each file to a place of its own.
struct AttachmentStore {
    private let folder: URL

    /// - Parameter folder: a temporary one unless given.
    init(folder: URL?) {
        self.folder = folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("pushpipe-attachments")
    }

    /// The content with its attachments moved. One whose file is not there any more is left out, and told.
    func takeOver(_ content: UNNotificationContent, _ findings: inout [Finding]) -> UNNotificationContent {
        guard !content.attachments.isEmpty, let taken = content.mutableCopy() as? UNMutableNotificationContent else {
            return content
        }
        taken.attachments = content.attachments.compactMap { attachment in
            do {
                let target = folder.appendingPathComponent(UUID().uuidString, isDirectory: true)
                try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                let file = target.appendingPathComponent(attachment.url.lastPathComponent)
                try FileManager.default.moveItem(at: attachment.url, to: file)
                return attachment.moved(to: file)
            } catch {
                findings.append(
                    Finding(
                        rule: "extension.attachment-lost", severity: .warning, pointer: "",
                        message:
                            "the attachment \(attachment.identifier) cannot be moved, and is left out: \(error.localizedDescription)"
                    ))
                return nil
            }
        }
        return taken.copy() as? UNNotificationContent ?? taken
    }
}
