#if os(Linux)
    public import Foundation

    /// The methods of key-value coding that apps use on user info. On Apple's systems they belong to `NSObject`.
    extension NSDictionary {
        /// The value of a key.
        public func value(forKey key: String) -> Any? { object(forKey: key) }

        /// The value at the end of a path of keys, such as `aps.alert.title`; nil if one of them leads to no dictionary.
        public func value(forKeyPath keyPath: String) -> Any? {
            var value: Any? = self
            for key in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
                value = (value as? NSDictionary)?.object(forKey: String(key))
            }
            return value
        }
    }

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
