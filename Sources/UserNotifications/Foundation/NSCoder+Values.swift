#if os(Linux)
    import Foundation

    extension NSCoder {
        /// The string under a key; nil when there is none.
        func string(forKey key: String) -> String? {
            decodeObject(of: NSString.self, forKey: key) as String?
        }

        /// The objects of one class in the array under a key; empty when there is none.
        func objects<Element: NSObject & NSCoding>(of type: Element.Type, forKey key: String) -> [Element] {
            decodeObject(of: [NSArray.self, type], forKey: key) as? [Element] ?? []
        }

        /// The dictionary of property-list values under a key; nil when there is none.
        func dictionary(forKey key: String) -> [AnyHashable: Any]? {
            let classes: [AnyClass] = [
                NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSData.self, NSDate.self, NSNull.self,
            ]
            return (decodeObject(of: classes, forKey: key) as? NSDictionary) as? [AnyHashable: Any]
        }
    }
#endif
