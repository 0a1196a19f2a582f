/// A list of messages that is given when enough of them match, or at the end of the wait.
final class MessageWait: PendingAnswer {
    private let query: MessageQuery
    private let traffic: GatewayTraffic
    private let compose: (MessagePage, _ isComplete: Bool) -> GatewayAnswer
    private let whenOver: () -> Void
    private let end: Double
    /// The newest message that was looked at.
    private var seen: UInt64 = 0

    var deadline: Double? { end }

    /// - Parameters:
    ///   - end: of the wait, in seconds of `SystemClock.monotonicSeconds`.
    ///   - whenOver: called once, when the answer was given or the client is gone.
    init(
        _ query: MessageQuery, _ traffic: GatewayTraffic, until end: Double,
        compose: @escaping (MessagePage, _ isComplete: Bool) -> GatewayAnswer, whenOver: @escaping () -> Void
    ) {
        self.query = query
        self.traffic = traffic
        self.end = end
        self.compose = compose
        self.whenOver = whenOver
    }

    func next(now: Double, unread: Int, hasRoom: Bool, isStopping: Bool) -> AnswerPart? {
        let isOver = now >= end || isStopping
        guard hasRoom else { return isOver ? .whole(APIError.tooMuchUnread.answer) : nil }
        guard isOver || traffic.log.messages(after: seen).contains(where: query.filter.matches) else {
            seen = traffic.log.nextID - 1
            return nil
        }
        seen = traffic.log.nextID - 1
        let page = query.page(of: traffic.log)
        let isComplete = page.messages.count >= query.count
        return isComplete || isOver ? .whole(compose(page, isComplete)) : nil
    }

    func didEnd() { whenOver() }
}
