package import PayloadJSON
package import PushModel

extension ShownContent {
    /// Reads a delivered payload and the changes of an extension. Empty when it cannot be read.
    ///
    /// - Parameter app: the site whose name a browser shows with a notification of its own, in place of one that the site fails to show.
    package init(
        payload: UnsafeRawBufferPointer, changes: BorrowedText = .empty, provider: Provider, platform: Platform,
        app: BorrowedText
    ) {
        // SOUND: the texts are alive during the call, and each tape is of the text that it is used with.
        var scanner = JSONScanner()
        var tape = JSONTape()
        guard unsafe scanner.scan(payload, into: &tape) == nil, let root = unsafe tape.root(of: payload) else {
            self.init()
            return
        }
        var batch = MessageBatch()
        let decoder = RecordDecoder(options: DecodingOptions())
        var message = DecodedMessage(record: 0, device: .empty)
        message.provider = provider
        message.platform = platform
        decoder.adopt(root.text, root, for: &message, &batch)
        if message.content.isRefused { message.content.becomeDefault(of: app) }
        if !changes.isEmpty, unsafe scanner.scan(changes.bytes, into: &tape) == nil,
            let root = unsafe tape.root(of: changes.bytes)
        {
            message.content.apply(root)
        }
        self.init(message.content)
    }
}
