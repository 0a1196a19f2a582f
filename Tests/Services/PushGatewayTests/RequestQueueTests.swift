import ServiceTestSupport
import Testing

@testable import PushGateway
@testable import PushServices

struct RequestQueueTests {
    private func request(_ bytes: Int) -> GatewayRequest { push(String(repeating: "x", count: bytes)) }

    @Test func `requests come out in the order in which they went in, all at once if they are small`() throws {
        let queue = try RequestQueue<Int>(maximumBytes: 1 << 20)
        for number in 0..<100 { #expect(queue.submit(request(10), number)) }
        #expect(queue.takeGroup().map(\.reply) == Array(0..<100))
        #expect(queue.takeGroup().isEmpty)
    }

    @Test func `large ones come out in groups`() throws {
        let queue = try RequestQueue<Int>(maximumBytes: 64 << 20)
        let mebibyte = request(1 << 20)
        for number in 0..<20 { #expect(queue.submit(mebibyte, number)) }
        var groups: [[Int]] = []
        while true {
            let group = queue.takeGroup().map(\.reply)
            if group.isEmpty { break }
            groups.append(group)
        }
        #expect(groups.flatMap(\.self) == Array(0..<20))
        // A group of 8 MiB, with what a request takes besides its body.
        #expect(groups.map(\.count) == [8, 8, 4])
    }

    @Test func `what waits for another turn counts until it is answered`() throws {
        let queue = try RequestQueue<Int>(maximumBytes: 10_000)
        #expect(queue.submit(request(5000), 1))
        let waiting = try #require(queue.takeGroup().first)
        queue.keep(waiting)
        #expect(!queue.submit(request(5000), 2))
        queue.release(waiting)
        #expect(queue.bytes == 0)
        #expect(queue.submit(request(5000), 3))
    }

    @Test func `what is over the limit is not taken, until there is room again`() throws {
        let queue = try RequestQueue<Int>(maximumBytes: 10_000)
        #expect(queue.submit(request(5000), 1))
        #expect(!queue.submit(request(5000), 2))
        #expect(queue.takeGroup().map(\.reply) == [1])
        #expect(queue.submit(request(5000), 3))
    }

    @Test func `headers count, up to the limit and no byte beyond`() throws {
        let large = { (bytes: Int) in
            var request = self.request(10)
            request.headers.append(HeaderField("x", String(repeating: "v", count: bytes)))
            return request
        }
        // What a request takes besides the header's value: the most that is taken, less than the limit by this.
        let limit = 10_000
        let most = try #require(
            try stride(from: 8000, through: limit, by: 1).reversed().first {
                try RequestQueue<Int>(maximumBytes: limit).submit(large($0), 1)
            })
        #expect(most < limit - 10)
        let queue = try RequestQueue<Int>(maximumBytes: limit)
        #expect(!queue.submit(large(most + 1), 1))
        #expect(queue.submit(large(most), 2))
        #expect(!queue.submit(request(0), 3))
    }

    @Test func `a wait returns once something was submitted before it`() throws {
        let queue = try RequestQueue<Int>(maximumBytes: 10_000)
        #expect(queue.submit(request(1), 1))
        queue.wait(milliseconds: -1)
        queue.wake()
        queue.wait(milliseconds: -1)
    }
}
