import AppSimulation
import PushModel
import Testing
import WikimediaSettings

struct OptionsRequestTests {
    @Test func `changes stand in one parameter, and the token last`() throws {
        let changes = try [("mention", true), ("cx", false)].map {
            try #require(OptionsRequest.Change(NotificationType($0), isOn: $1))
        }
        let requests = OptionsRequest.requests(for: changes)
        #expect(requests.count == 1)
        #expect(
            requests.first?.formText(csrfToken: "ab+\\")
                == "action=options&format=json&formatversion=2"
                + "&change=echo-subscriptions-push-mention%3D1%7Cecho-subscriptions-push-cx%3D0&token=ab%2B%5C")
    }

    @Test func `a bar in a change has the separator changed`() throws {
        let change = try #require(OptionsRequest.Change(option: "userjs-a", value: "x|y"))
        let other = try #require(OptionsRequest.Change(option: "skin", value: "ü &"))
        #expect(
            OptionsRequest.requests(for: [change, other])[0].formText(csrfToken: "")
                == "action=options&format=json&formatversion=2&change=%1Fuserjs-a%3Dx%7Cy%1Fskin%3D%C3%BC%20%26&token=")
    }

    @Test(arguments: [("a=b", "1"), ("", "1"), ("a", "x\u{1F}y"), ("a\u{1F}", "1")])
    func `what no request could say is none`(option: String, value: String) {
        #expect(OptionsRequest.Change(option: option, value: value) == nil)
    }

    @Test(arguments: [(0, []), (1, [1]), (50, [50]), (51, [50, 1]), (101, [50, 50, 1])])
    func `a request has fifty changes at most`(count: Int, sizes: [Int]) throws {
        let changes = try (0..<count).map {
            try #require(OptionsRequest.Change(NotificationType("t\($0)"), isOn: true))
        }
        let requests = OptionsRequest.requests(for: changes)
        #expect(requests.map(\.changes.count) == sizes)
        #expect(requests.flatMap(\.changes) == changes)
    }
}
