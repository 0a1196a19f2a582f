#if os(Linux)
    public import Foundation

    #if canImport(CHTMLText)
        import CHTMLText
    #endif

    extension NSAttributedString {
        /// The kind of a document.
        public struct DocumentType: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String
            /// A type by Apple's name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Text without attributes.
            public static let plain = DocumentType(rawValue: "NSPlainText")
            /// HTML.
            public static let html = DocumentType(rawValue: "NSHTML")
        }

        /// How a document is read.
        public struct DocumentReadingOptionKey: RawRepresentable, Hashable, Sendable {
            /// Apple's name.
            public let rawValue: String
            /// An option by Apple's name.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// The kind of the document, a `DocumentType`.
            public static let documentType = DocumentReadingOptionKey(rawValue: "DocumentType")
            /// The encoding of its text, as the number of a `String.Encoding`.
            public static let characterEncoding = DocumentReadingOptionKey(rawValue: "CharacterEncoding")
        }

        /// Reads a document in HTML, or text: its characters without attributes. Other types throw.
        ///
        /// - Parameter attributes: is not set.
        public convenience init(
            data: Data, options: [DocumentReadingOptionKey: Any] = [:],
            documentAttributes attributes: UnsafeMutablePointer<NSDictionary?>?
        ) throws {
            let number = (options[.characterEncoding] as? NSNumber)?.uintValue ?? String.Encoding.utf8.rawValue
            let encoding = String.Encoding(rawValue: number)
            let named = options[.documentType]
            let type = named as? DocumentType ?? (named as? String).map(DocumentType.init)
            guard let text = String(data: data, encoding: encoding) else {
                throw NSError(domain: NSCocoaErrorDomain, code: 259)
            }
            switch type {
            case .plain?: self.init(string: text)
            case .html?:
                guard let plain = Self.text(ofHTML: text) else { throw NSError(domain: NSCocoaErrorDomain, code: 259) }
                self.init(string: plain)
            default: throw NSError(domain: NSCocoaErrorDomain, code: 66062)
            }
        }

        private static func text(ofHTML html: String) -> String? {
            if html.isEmpty { return "" }
            #if canImport(CHTMLText)
                var html = html
                let text = html.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { html_text($0.baseAddress, $0.count, "UTF-8") }
                }
                guard let text else { return nil }
                defer { free(text) }
                return String(cString: text)
            #else
                return nil
            #endif
        }
    }
#endif
