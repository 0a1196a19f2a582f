#if os(Linux)
    import Foundation

    extension NSCoder {
        /// The string for a key; nil if there is none.
        func string(forKey key: String) -> String? {
            decodeObject(of: NSString.self, forKey: key) as String?
        }

        /// The objects of one class in the array for a key; empty if there is none.
        func objects<Element: NSObject & NSCoding>(of type: Element.Type, forKey key: String) -> [Element] {
            decodeObject(of: [NSArray.self, type], forKey: key) as? [Element] ?? []
        }

        /// The dictionary of property-list values for a key; nil if there is none.
        func dictionary(forKey key: String) -> [AnyHashable: Any]? {
            let classes: [AnyClass] = [
                NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSData.self, NSDate.self, NSNull.self,
            ]
            return (decodeObject(of: classes, forKey: key) as? NSDictionary) as? [AnyHashable: Any]
        }
    }
#endif
