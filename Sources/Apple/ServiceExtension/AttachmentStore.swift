#if os(Linux)
    import Foundation
    import PushModel
    import UserNotifications

    /// Moves the files of attachments out of the extension's reach, as a device does.
    ///
    /// It moves only files that an extension may have written: in a temporary folder or an app group. It copies others, such as a test's own;
    /// on a device the extension's sandbox keeps such files out of its reach.
    struct AttachmentStore {
        /// The folder for attachments; a temporary one when nil.
        let folder: URL?

        /// The content with its attachments moved. An attachment whose file is gone is left out, with a finding.
        func takeOver(_ content: UNNotificationContent, _ findings: inout [Finding]) -> UNNotificationContent {
            guard !content.attachments.isEmpty, let taken = content.mutableCopy() as? UNMutableNotificationContent
            else {
                return content
            }
            let folder = folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("pushpipe-attachments")
            taken.attachments = content.attachments.compactMap { attachment in
                do {
                    let target = folder.appendingPathComponent(UUID().uuidString, isDirectory: true)
                    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                    let file = target.appendingPathComponent(attachment.url.lastPathComponent)
                    if Self.isOwn(attachment.url) {
                        try FileManager.default.moveItem(at: attachment.url, to: file)
                    } else {
                        try FileManager.default.copyItem(at: attachment.url, to: file)
                    }
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

        private static func isOwn(_ file: URL) -> Bool {
            let path = file.resolvingSymlinksInPath().path
            return [FileManager.default.temporaryDirectory, FileManager.appGroupsDirectory].contains {
                path.hasPrefix($0.resolvingSymlinksInPath().path + "/")
            }
        }
    }
#endif
