#if os(Linux) && canImport(CImageCodecs)
    public import CoreMedia
    public import Foundation
    public import UIKit

    /// Would take pictures out of a film. Each request fails.
    open class AVAssetImageGenerator: NSObject, @unchecked Sendable {
        /// The outcome of a request.
        public enum Result: Int, Sendable {
            /// A picture.
            case succeeded
            /// None.
            case failed
            /// Cancelled.
            case cancelled
        }

        /// The film.
        public let asset: AVAsset
        /// True if pictures are turned as the film is.
        open var appliesPreferredTrackTransform = false
        /// The largest size of a picture.
        open var maximumSize = CGSize.zero
        /// How much earlier a picture may be.
        open var requestedTimeToleranceBefore = CMTime.positiveInfinity
        /// How much later a picture may be.
        open var requestedTimeToleranceAfter = CMTime.positiveInfinity

        /// A generator for a film.
        public init(asset: AVAsset) { self.asset = asset }

        /// Throws what a device throws for a file in an unknown format.
        open func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage {
            throw asset.failure
        }

        /// Throws what a device throws for a file in an unknown format.
        open func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) { throw asset.failure }

        /// Calls its handler with the error for a file in an unknown format.
        open func generateCGImageAsynchronously(
            for requestedTime: CMTime, completionHandler handler: @escaping (CGImage?, CMTime, (any Error)?) -> Void
        ) {
            nonisolated(unsafe) let handler = handler
            DispatchQueue.global().async { handler(nil, .invalid, self.asset.failure) }
        }

        /// Calls its handler for each time, with the error for a file in an unknown format.
        open func generateCGImagesAsynchronously(
            forTimes requestedTimes: [NSValue],
            completionHandler handler: @escaping (CMTime, CGImage?, CMTime, Result, (any Error)?) -> Void
        ) {
            nonisolated(unsafe) let handler = handler
            let times = requestedTimes.map(\.timeValue)
            DispatchQueue.global().async {
                for time in times { handler(time, nil, .invalid, .failed, self.asset.failure) }
            }
        }

        /// Cancels what has not begun.
        open func cancelAllCGImageGeneration() {}
    }
#endif

#if os(Linux)
    public import CoreMedia
    public import Foundation

    extension NSValue {
        /// A time as an object, in seconds.
        public convenience init(time: CMTime) {
            var seconds = time.seconds
            self.init(bytes: &seconds, objCType: "d")
        }

        /// The time in it.
        public var timeValue: CMTime {
            var seconds = Double.nan
            if String(cString: objCType) == "d" { getValue(&seconds) }
            return CMTime(seconds: seconds, preferredTimescale: 600)
        }
    }
#endif
