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

    extension _CVarArgObject {
        /// Never used: a formatter asks for the replacing object first.
        public var _cVarArgEncoding: [Int] { [0] }
    }
#endif
