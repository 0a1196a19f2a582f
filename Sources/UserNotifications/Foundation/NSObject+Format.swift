#if os(Linux)
    public import Foundation

    // Foundation itself has these on Apple's systems, and whatever imports this module is meant to find what is there.

    // swift-format-ignore: AvoidRetroactiveConformances
    /// Any object can stand for `%@` in `NSLog` and `String(format:)`, as on Apple's systems; it is told by its description.
    extension NSObject: @retroactive CVarArg {}

    // swift-format-ignore: AvoidRetroactiveConformances
    extension NSObject: @retroactive _CVarArgObject {
        /// What is passed in the object's place, and kept until the text is made. Foundation's formats know strings, and no classes of others.
        public var _cVarArgObject: any CVarArg { description._cVarArgObject }

        /// Nothing: what passes arguments on asks for the object in its place first, and for this only where there is none.
        public var _cVarArgEncoding: [Int] { [0] }
    }
#endif
