#if os(Linux)
    public import CoreMedia
    public import Foundation

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// As it is.
    public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Small.
    public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Not so small.
    public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Good.
    public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Sound.
    public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"

    /// Would write an asset in another format. It fails.
    open class AVAssetExportSession: NSObject, @unchecked Sendable {
        /// How far it is.
        public enum Status: Int, Sendable {
            /// Not begun.
            case unknown
            /// Waiting.
            case waiting
            /// Writing.
            case exporting
            /// Done.
            case completed
            /// Failed.
            case failed
            /// Cancelled.
            case cancelled
        }

        /// The asset.
        public let asset: AVAsset
        /// The form of the result.
        public let presetName: String
        /// The file to write.
        open var outputURL: URL?
        /// Its format.
        open var outputFileType: AVFileType?
        /// The part to write.
        open var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        /// Without effect.
        open var shouldOptimizeForNetworkUse = false
        /// How far it is.
        open private(set) var status = Status.unknown
        /// Why it failed.
        open private(set) var error: (any Error)?
        /// Never begun.
        open var progress: Float { 0 }
        /// The formats that can be written.
        open var supportedFileTypes: [AVFileType] { [.mp4, .mov, .m4a] }

        /// An export of an asset.
        public init?(asset: AVAsset, presetName: String) {
            self.asset = asset
            self.presetName = presetName
        }

        /// Fails on another thread, with the error for a file in an unknown format.
        open func exportAsynchronously(completionHandler handler: @escaping () -> Void) {
            error = asset.failure
            status = .failed
            nonisolated(unsafe) let handler = handler
            DispatchQueue.global().async { handler() }
        }

        /// Fails.
        open func export() async {
            error = asset.failure
            status = .failed
        }

        /// Fails.
        open func export(to url: URL, as fileType: AVFileType) async throws { throw asset.failure }

        /// Cancels what has not begun.
        open func cancelExport() {}
    }
#endif
