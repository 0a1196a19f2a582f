#if os(Linux)
    public import Foundation
    import UserNotifications

    /// Something that the user or somebody else does with the app. Abstract: use a subclass.
    open class INIntent: NSObject, NSCopying, @unchecked Sendable {
        // Unchecked: mutable state is behind a lock.
        private struct State {
            var images: [AnyKeyPath: INImage] = [:]
            var suggestedInvocationPhrase: String?
            var donationMetadata: INIntentDonationMetadata?
        }

        private let state = Locked(State())

        /// Nil, as for every intent that Siri did not create.
        open var identifier: String? { nil }

        /// A phrase that invokes the intent.
        open var suggestedInvocationPhrase: String? {
            get { state.suggestedInvocationPhrase }
            set { state.suggestedInvocationPhrase = newValue }
        }

        /// Details of an intent, for a donation.
        open var donationMetadata: INIntentDonationMetadata? {
            get { state.donationMetadata }
            set { state.donationMetadata = newValue }
        }

        /// The picture that stands for the whole intent: the one set for the first parameter that has one, in the order of `keyParameters`.
        open func keyImage() -> INImage? {
            let images = state.images
            return keyParameters.lazy.compactMap { images[$0] }.first
        }

        /// Parameters that may have a picture, the most important first.
        var keyParameters: [AnyKeyPath] { [] }

        func setImage(_ image: INImage?, for parameter: AnyKeyPath) {
            state.withLock { $0.images[parameter] = image }
        }

        func image(for parameter: AnyKeyPath) -> INImage? { state.images[parameter] }

        /// A copy of the intent, which subclasses make.
        func duplicate() -> INIntent { INIntent() }

        /// An independent copy.
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

    /// Details of an intent, for a donation. Abstract.
    open class INIntentDonationMetadata: NSObject {
        override init() { super.init() }
    }

    /// The result of an intent. Abstract.
    open class INIntentResponse: NSObject {
        override init() { super.init() }
    }
#endif
