#if os(Linux)
    public import Foundation

    // Foundation has these on Apple's systems, so code that imports this module expects them.

    // swift-format-ignore: AvoidRetroactiveConformances
    /// Lets `%@` in `NSLog` and `String(format:)` take any object, as on Apple's systems. The text is the object's description.
    extension NSObject: @retroactive CVarArg {}

    // swift-format-ignore: AvoidRetroactiveConformances
    extension NSObject: @retroactive _CVarArgObject {
        /// The string that is passed instead of the object, and kept until the text is formatted. Foundation formats strings, not other classes.
        public var _cVarArgObject: any CVarArg { description._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The array as Foundation's.
        public var _cVarArgObject: any CVarArg { NSArray(array: self).description._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The dictionary as text.
        public var _cVarArgObject: any CVarArg { "\(self)"._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The set as text.
        public var _cVarArgObject: any CVarArg { "\(self)"._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The date as text.
        public var _cVarArgObject: any CVarArg { description._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The identifier as text.
        public var _cVarArgObject: any CVarArg { uuidString._cVarArgObject }
    }

    // swift-format-ignore: AvoidRetroactiveConformances
    extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {
        /// The address as text.
        public var _cVarArgObject: any CVarArg { absoluteString._cVarArgObject }
    }

    extension _CVarArgObject {
        /// Never used: a formatter asks for the replacing object first.
        public var _cVarArgEncoding: [Int] { [0] }
    }
#endif
