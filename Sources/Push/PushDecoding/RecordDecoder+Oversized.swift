import PayloadJSON
import PushModel

extension RecordDecoder {
    /// A copy of a request to APNs that is over its limit and not UTF-8, with a question mark in place of each wrong byte; nil for any other
    /// record. Such a request is rejected for its size, so what the bytes say does not matter.
    ///
    /// Source: pushy's mock server, which measures a body and does not read it.
    @inline(never)
    func oversizedRequest(
        _ text: UnsafeRawBufferPointer, into batch: inout MessageBatch
    ) -> BorrowedText? {
        // SOUND: the caller keeps the text alive. The trial's messages are used only while its bytes and its decoder are alive.
        guard text.count > Budget.apnsBinary.bytes else { return nil }
        let readable = unsafe Self.readable(text)
        var decoder = RecordDecoder(options: options)
        var trial = MessageBatch()
        let isOversized = unsafe readable.withUnsafeBytes { bytes in
            unsafe decoder.decode(bytes, record: 0, into: &trial)
            defer { withExtendedLifetime(decoder) {} }
            guard trial.messageCount == 1, trial.decodeFailures.isEmpty, trial.events.isEmpty,
                let message = unsafe trial.messages.baseAddress
            else { return false }
            return unsafe message.pointee.provider == .apns && message.pointee.gateway == nil
                && message.pointee.payload.count > APNsAcceptance.byteLimit(message, forced: options.budget)
        }
        return unsafe isOversized ? readable.withUnsafeBytes { unsafe batch.scratch.copy($0) } : nil
    }

    /// Rejects the batch's last message, whose payload is over its limit and not JSON: APNs measures a body before it reads it. This comes before
    /// the headers and the device. The path comes first, and the binary interface has an order of its own.
    @inline(never)
    func rejectForSize(_ batch: inout MessageBatch) {
        // SOUND: the caller has appended a message, which stays in place during the call.
        guard let base = unsafe batch.messages.baseAddress else { return }
        let index = batch.messageCount - 1
        let message = unsafe UnsafePointer(base + index)
        let limit = unsafe APNsAcceptance.byteLimit(message, forced: options.budget)
        let isBinary =
            unsafe options.budget?.isBinaryInterface == true
            || Budget.isLimitOfBinaryInterface(message.pointee.byteLimit)
        guard !isBinary, unsafe message.pointee.headers.rejection != .badPath else { return }
        let pointer = unsafe "\(message.pointee.place.string)\(message.pointee.payloadPointer)"
        let bytes = unsafe message.pointee.payload.count
        batch.reject(
            .payloadTooLarge, pointer: pointer, "the payload has \(bytes) bytes, \(limit) are allowed", message: index)
    }

    /// The same number of bytes in UTF-8.
    private static func readable(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        // SOUND: the caller keeps the text alive.
        var readable: [UInt8] = []
        readable.reserveCapacity(text.count)
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = unsafe text.makeIterator()
        while true {
            switch unsafe parser.parseScalar(from: &bytes) {
            case .valid(let scalar): readable.append(contentsOf: scalar)
            case .error(let length): readable.append(contentsOf: repeatElement(UInt8(ascii: "?"), count: length))
            case .emptyInput: return readable
            }
        }
    }
}
