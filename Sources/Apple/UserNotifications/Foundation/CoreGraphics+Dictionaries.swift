#if os(Linux)
    public import Foundation

    // The rectangle of a thumbnail is given to an attachment as a dictionary.

    extension CGPoint {
        /// The point as a dictionary of `X` and `Y`.
        public var dictionaryRepresentation: CFDictionary { ["X": Double(x), "Y": Double(y)] as NSDictionary }

        /// Creates a point from such a dictionary; nil if it is not one.
        public init?(dictionaryRepresentation dictionary: CFDictionary) {
            guard let x = dictionary.number("X"), let y = dictionary.number("Y") else { return nil }
            self.init(x: x, y: y)
        }
    }

    extension CGSize {
        /// The size as a dictionary of `Width` and `Height`.
        public var dictionaryRepresentation: CFDictionary {
            ["Width": Double(width), "Height": Double(height)] as NSDictionary
        }

        /// Creates a size from such a dictionary; nil if it is not one.
        public init?(dictionaryRepresentation dictionary: CFDictionary) {
            guard let width = dictionary.number("Width"), let height = dictionary.number("Height") else { return nil }
            self.init(width: width, height: height)
        }
    }

    extension CGRect {
        /// The rectangle as a dictionary of `X`, `Y`, `Width` and `Height`.
        public var dictionaryRepresentation: CFDictionary {
            [
                "X": Double(origin.x), "Y": Double(origin.y), "Width": Double(size.width),
                "Height": Double(size.height),
            ] as NSDictionary
        }

        /// Creates a rectangle from such a dictionary; nil if it is not one.
        public init?(dictionaryRepresentation dictionary: CFDictionary) {
            guard let origin = CGPoint(dictionaryRepresentation: dictionary),
                let size = CGSize(dictionaryRepresentation: dictionary)
            else { return nil }
            self.init(origin: origin, size: size)
        }
    }

    extension NSDictionary {
        fileprivate func number(_ key: String) -> Double? { (object(forKey: key) as? NSNumber)?.doubleValue }
    }
#endif
