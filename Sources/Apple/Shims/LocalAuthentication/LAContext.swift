#if os(Linux)
    public import Foundation

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The domain of the errors.
    public let LAErrorDomain = "com.apple.LocalAuthentication"

    /// How a person proves to be there.
    public enum LAPolicy: Int, Sendable {
        /// By a face or finger.
        case deviceOwnerAuthenticationWithBiometrics = 1
        /// By a face, a finger or the passcode.
        case deviceOwnerAuthentication = 2
    }

    /// The values that a device recognizes.
    public enum LABiometryType: Int, Sendable {
        /// Nothing.
        case none = 0
        /// Fingers.
        case touchID = 1
        /// Faces.
        case faceID = 2
        /// Eyes.
        case opticID = 4
    }

    /// An error of authentication.
    public struct LAError: Error, CustomNSError, Hashable, Sendable {
        /// The codes of errors.
        public enum Code: Int, Sendable {
            /// The person was not recognized.
            case authenticationFailed = -1
            /// The person canceled.
            case userCancel = -2
            /// The person chose another way.
            case userFallback = -3
            /// The system canceled.
            case systemCancel = -4
            /// There is no passcode.
            case passcodeNotSet = -5
            /// Nothing is recognized.
            case biometryNotAvailable = -6
            /// Nobody is known.
            case biometryNotEnrolled = -7
            /// There were too many attempts.
            case biometryLockout = -8
            /// The app canceled.
            case appCancel = -9
            /// The context is not valid any more.
            case invalidContext = -10
            /// There is no person to ask.
            case notInteractive = -1004
        }

        /// The code of the error.
        public let code: Code
        /// An error.
        public init(_ code: Code) { self.code = code }
        /// Apple's name of the domain.
        public static var errorDomain: String { LAErrorDomain }
        /// Apple's number.
        public var errorCode: Int { code.rawValue }
        /// A text.
        public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: "User interaction required."] }
        /// There is no person to ask.
        public static var notInteractive: Code { .notInteractive }
        /// The context is not valid any more.
        public static var invalidContext: Code { .invalidContext }
        /// Nothing is recognized.
        public static var biometryNotAvailable: Code { .biometryNotAvailable }
        /// There is no passcode.
        public static var passcodeNotSet: Code { .passcodeNotSet }
    }

    /// Asks whether a person is there. Nobody is in an extension, which cannot show the question: every policy fails, `LAError.notInteractive`.
    ///
    /// The error that a device gives to an extension is UNCONFIRMED. A context in a query of the keychain has no effect.
    open class LAContext: NSObject, @unchecked Sendable {
        // Unchecked: as with Apple's, one thread changes it.
        private var isInvalid = false

        /// The reason that a person is told.
        open var localizedReason = ""
        /// The title of the button for another way.
        open var localizedFallbackTitle: String?
        /// The title of the button that cancels.
        open var localizedCancelTitle: String?
        /// True not to ask.
        open var interactionNotAllowed = false
        /// Seconds for which an earlier success counts.
        open var touchIDAuthenticationAllowableReuseDuration: TimeInterval = 0
        /// Nothing.
        open var biometryType: LABiometryType { .none }
        /// Nil: nobody was recognized.
        open var evaluatedPolicyDomainState: Data? { nil }

        private var failure: LAError { LAError(isInvalid ? .invalidContext : .notInteractive) }

        /// False.
        open func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool {
            error?.pointee = failure as NSError
            return false
        }

        /// Fails, on another thread.
        open func evaluatePolicy(
            _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
        ) {
            let failure = failure
            DispatchQueue.global().async { reply(false, failure) }
        }

        /// Throws.
        open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool { throw failure }

        /// Makes the context useless.
        open func invalidate() { isInvalid = true }
    }
#endif
