#if os(Linux)
    public import Foundation

    /// The two methods of key-value coding that apps use on defaults. On Apple's systems they belong to `NSObject`.
    extension UserDefaults {
        /// The value of a default.
        public func value(forKey key: String) -> Any? {
            object(forKey: key)
        }

        /// Sets a default; nil removes it.
        public func setValue(_ value: Any?, forKey key: String) {
            set(value, forKey: key)
        }
    }
#endif
