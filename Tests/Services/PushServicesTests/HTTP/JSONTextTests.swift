import PushJSON
import Testing

@testable import PushServices

struct JSONTextTests {
    private func text(_ json: JSONText) -> String { String(decoding: json.bytes, as: UTF8.self) }

    @Test func `values are written as JSON has them`() {
        let (name, count, isOn) = ("a\"\n\u{1}ü", -7, true)
        #expect(text(#"{"a":\#(name),"b":\#(count),"c":\#(isOn)}"#) == #"{"a":"a\"\n\u0001ü","b":-7,"c":true}"#)
        #expect(text("\(["a", "b\\"])\(false)") == #"["a","b\\"]false"#)
        #expect(text("\([] as [String])") == "[]")
    }

    @Test func `a member without a value is left out`() {
        let (text, number, flag): (String?, Int?, Bool?) = (nil, nil, nil)
        #expect(self.text(#"{"a":1\#(member: "b", text)\#(member: "c", number)\#(member: "d", flag)}"#) == #"{"a":1}"#)
        #expect(
            self.text(#"{"a":1\#(member: "b", "x")\#(member: "c", 2)\#(member: "d", false)}"#)
                == #"{"a":1,"b":"x","c":2,"d":false}"#)
    }

    @Test func `elements and members have their separators between them`() {
        let elements: [JSONText] = ["1", "{}"]
        #expect(text("\(elements)\(elements, separator: ",\n")") == "[1,{}][1,\n{}]")
        #expect(text("\(lines: elements)\(lines: [])") == "[\n1,\n{}\n][]")
        #expect(text("\(object: [#""a":1"#, #""b":2"#])\(object: [])") == #"{"a":1,"b":2}{}"#)
    }

    @Test func `the members of an object keep their text`() {
        let copy = Array(#"{"a":1.0,"b":"\u0041","to":2}"#.utf8).withJSON { root -> JSONText in
            #"{"x":0\#(membersOf: root, except: ["to"])}"#
        }
        #expect(copy.map(text) == #"{"x":0,"a":1.0,"b":"\u0041"}"#)
    }
}
