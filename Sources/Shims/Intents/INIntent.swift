#if os(Linux)
    public import Foundation
    import UserNotifications

    /// Something that the user or somebody else does with the app. Abstract: one of the subclasses is meant.
    open class INIntent: NSObject, NSCopying, @unchecked Sendable {
        // Unchecked: what changes is under a lock.
        private struct State {
            var images: [AnyKeyPath: INImage] = [:]
            var suggestedInvocationPhrase: String?
            var donationMetadata: INIntentDonationMetadata?
        }

        private let state = Locked(State())

        /// Nil, as for every intent that Siri has not made.
        open var identifier: String? { nil }

        /// What the user could say to have this done.
        open var suggestedInvocationPhrase: String? {
            get { state.suggestedInvocationPhrase }
            set { state.suggestedInvocationPhrase = newValue }
        }

        /// What a donation says besides the intent.
        open var donationMetadata: INIntentDonationMetadata? {
            get { state.donationMetadata }
            set { state.donationMetadata = newValue }
        }

        /// The picture that stands for the whole intent: the one set for the first parameter that has one, in the order of `keyParameters`.
        open func keyImage() -> INImage? {
            let images = state.images
            return keyParameters.lazy.compactMap { images[$0] }.first
        }

        /// Parameters that may have a picture, the one that tells most first.
        var keyParameters: [AnyKeyPath] { [] }

        func setImage(_ image: INImage?, for parameter: AnyKeyPath) {
            state.withLock { $0.images[parameter] = image }
        }

        func image(for parameter: AnyKeyPath) -> INImage? { state.images[parameter] }

        /// An intent of the same parameters, for a subclass to make.
        func duplicate() -> INIntent { INIntent() }

        /// A copy, which does not change with this intent.
        open func copy(with zone: NSZone? = nil) -> Any {
            let copy = duplicate()
            let values = state.snapshot
            copy.state.withLock { $0 = values }
            return copy
        }
    }

    /// An intent whose parameters may have pictures.
    public protocol INIntentSetImageKeyPath: INIntent {}

    extension INIntentSetImageKeyPath {
        /// Sets the picture of a parameter, as `intent.setImage(avatar, forParameterNamed: \.sender)`.
        public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
            setImage(image, for: parameterName)
        }

        /// The picture that was set for a parameter.
        public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
            image(for: parameterName)
        }
    }

    /// What a donation says besides the intent. Abstract.
    open class INIntentDonationMetadata: NSObject {
        override init() { super.init() }
    }

    /// What came of an intent. Abstract.
    open class INIntentResponse: NSObject {
        override init() { super.init() }
    }
#endif
