#if os(Linux)
    import Foundation

    #if canImport(_FoundationICU)
        import _FoundationICU
    #endif

    /// The plural category of a number in a language: `zero`, `one`, `two`, `few`, `many` or `other`.
    ///
    /// The rules are those of CLDR, in the ICU that Foundation for Linux brings.
    enum PluralCategory {
        /// - Parameter language: such as `de` or `pt-BR`; an unknown one has `other` only.
        static func name(of number: Double, in language: String) -> String {
            #if canImport(_FoundationICU)
                var status = U_ZERO_ERROR
                guard let rules = swift_uplrules_open(language, &status) else { return "other" }
                defer { swift_uplrules_close(rules) }
                // The longest name has five letters.
                var name = [UInt16](repeating: 0, count: 16)
                let count = swift_uplrules_select(rules, number, &name, Int32(name.count), &status)
                // Errors are positive; warnings are negative.
                guard status.rawValue <= U_ZERO_ERROR.rawValue, name.indices.contains(Int(count)) else {
                    return "other"
                }
                return String(decoding: name.prefix(Int(count)), as: UTF16.self)
            #else
                return number == 1 ? "one" : "other"
            #endif
        }
    }
#endif
