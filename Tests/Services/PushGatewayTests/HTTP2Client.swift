import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import PushSystem

/// What a server answered on a stream: its frames, in their order.
struct AnsweredStream: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case headers(endsStream: Bool)
        case data(bytes: Int, endsStream: Bool)
        case reset(code: Int)
    }

    var parts: [Part] = []
    var headers = HPACKHeaders()
    var body: [UInt8] = []

    var status: Int? { headers.first(name: ":status").flatMap { Int($0) } }
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A client that sends frames as a test wants them, and keeps those that come.
final class HTTP2Client: Sendable {
    let channel: any Channel
    private let frames: NIOLoopBound<FrameKeeper>
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Keeps frames, and fulfils promises for those that are waited for.
    private final class FrameKeeper: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame

        var streams: [HTTP2StreamID: AnsweredStream] = [:]
        private var ended: Set<HTTP2StreamID> = []
        private var waiting: [HTTP2StreamID: EventLoopPromise<AnsweredStream>] = [:]
        /// What the server allows at a time, each time that it says so.
        let allowedStreams = Monitor<[Int]>([])
        /// The data of the first GOAWAY.
        var goAway: String?
        private var goAwayPromise: EventLoopPromise<String>?
        private var isClosed = false
        /// Streams in the order in which their answers began.
        let begun = Monitor<[Int]>([])

        func answer(on id: HTTP2StreamID, _ loop: any EventLoop) -> EventLoopFuture<AnsweredStream> {
            if ended.contains(id) { return loop.makeSucceededFuture(streams[id] ?? AnsweredStream()) }
            if isClosed { return loop.makeFailedFuture(ChannelError.eof) }
            let promise = loop.makePromise(of: AnsweredStream.self)
            waiting[id] = promise
            return promise.futureResult
        }

        func goAway(_ loop: any EventLoop) -> EventLoopFuture<String> {
            if let goAway { return loop.makeSucceededFuture(goAway) }
            if isClosed { return loop.makeFailedFuture(ChannelError.eof) }
            let promise = loop.makePromise(of: String.self)
            goAwayPromise = promise
            return promise.futureResult
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            switch frame.payload {
            case .headers(let headers):
                begun.change { $0.append(Int(frame.streamID)) }
                streams[frame.streamID, default: AnsweredStream()].headers = headers.headers
                streams[frame.streamID]?.parts.append(.headers(endsStream: headers.endStream))
                if headers.endStream { end(frame.streamID) }
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { return }
                streams[frame.streamID]?.body += Array(bytes.readableBytesView)
                streams[frame.streamID]?.parts.append(.data(bytes: bytes.readableBytes, endsStream: data.endStream))
                if data.endStream { end(frame.streamID) }
            case .rstStream(let code):
                streams[frame.streamID, default: AnsweredStream()].parts.append(.reset(code: code.networkCode))
                end(frame.streamID)
            case .settings(.settings(let settings)):
                for setting in settings where setting.parameter == .maxConcurrentStreams {
                    allowedStreams.change { $0.append(setting.value) }
                }
            case .goAway(_, _, let data):
                guard goAway == nil else { return }
                goAway = data.map { String(buffer: $0) } ?? ""
                goAwayPromise?.succeed(goAway ?? "")
            default: break
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            isClosed = true
            for promise in waiting.values { promise.fail(ChannelError.eof) }
            waiting = [:]
            goAwayPromise?.fail(ChannelError.eof)
            goAwayPromise = nil
        }

        private func end(_ id: HTTP2StreamID) {
            ended.insert(id)
            waiting.removeValue(forKey: id)?.succeed(streams[id] ?? AnsweredStream())
        }
    }

    /// - Parameters:
    ///   - context: for TLS; nil to do without.
    ///   - window: bytes of each stream's answer that the server may send before the client allows more; nil for those of the protocol.
    init(port: Int, context: NIOSSLContext? = nil, window: Int? = nil) throws {
        let loop = Self.group.next()
        let keeper = try loop.submit { NIOLoopBound(FrameKeeper(), eventLoop: loop) }.wait()
        frames = keeper
        channel = try ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    }
                    try channel.pipeline.syncOperations.addHandlers([
                        // A test may send what is malformed.
                        NIOHTTP2Handler(
                            mode: .client,
                            initialSettings: nioDefaultSettings
                                + (window.map { [HTTP2Setting(parameter: .initialWindowSize, value: $0)] } ?? []),
                            headerBlockValidation: .disabled), keeper.value,
                    ])
                }
            }
            .connect(host: "127.0.0.1", port: port).wait()
    }

    deinit { channel.close(promise: nil) }

    /// Sends frames of a stream.
    func send(_ payloads: [HTTP2Frame.FramePayload], on stream: Int) {
        for payload in payloads {
            channel.write(HTTP2Frame(streamID: HTTP2StreamID(stream), payload: payload), promise: nil)
        }
        channel.flush()
    }

    /// Sends a request in one go. Without `:authority`, as some clients do.
    func send(
        _ body: String, path: String = "/3/device/ab12", method: String = "POST",
        headers: [(String, String)] = [("apns-topic", "org.example.app")], on stream: Int
    ) {
        let head = HPACKHeaders([(":method", method), (":path", path), (":scheme", "http")] + headers)
        var payloads = [HTTP2Frame.FramePayload.headers(.init(headers: head, endStream: body.isEmpty))]
        if !body.isEmpty {
            payloads.append(.data(.init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true)))
        }
        send(payloads, on: stream)
    }

    /// Waits for the end of a stream.
    func answer(on stream: Int) throws -> AnsweredStream {
        let (frames, loop) = (frames, channel.eventLoop)
        return try loop.flatSubmit { frames.value.answer(on: HTTP2StreamID(stream), loop) }.wait()
    }

    /// Returns once the server has said so often how many streams it allows.
    func allowedStreams(times count: Int) throws -> [Int] {
        let (frames, loop) = (frames, channel.eventLoop)
        let allowed = try loop.submit { frames.value.allowedStreams }.wait()
        return allowed.wait { $0.count >= count ? $0 : nil }
    }

    /// Returns once the answers on so many streams have begun: their ids, in that order.
    func begun(_ count: Int) throws -> [Int] {
        let (frames, loop) = (frames, channel.eventLoop)
        let begun = try loop.submit { frames.value.begun }.wait()
        return begun.wait { $0.count >= count ? $0 : nil }
    }

    /// What has come on a stream.
    func parts(on stream: Int) throws -> [AnsweredStream.Part] {
        let (frames, loop) = (frames, channel.eventLoop)
        return try loop.submit { frames.value.streams[HTTP2StreamID(stream)]?.parts ?? [] }.wait()
    }

    /// Waits until the server says that it is going away, and returns the data of the frame.
    func goAway() throws -> String {
        let (frames, loop) = (frames, channel.eventLoop)
        return try loop.flatSubmit { frames.value.goAway(loop) }.wait()
    }

    /// Waits until the connection is closed.
    func waitForClose() throws { try channel.closeFuture.wait() }
}
