import Testing

/// What is said about a value that does not fit.
struct SchemaFailureTests {
    @Test(arguments: [
        (#"{"type":"string"}"#, "1", "must be a string, not a number"),
        (#"{"type":["object","array","null"]}"#, "1", "must be an object, an array or null, not a number"),
        (#"{"type":"integer"}"#, "1.5", "must be a whole number, not 1.5"),
        (#"{"type":"boolean"}"#, #""true""#, "must be true or false, not a string"),
        (#"{"enum":["a",1]}"#, #""b""#, #"must be one of "a", 1, and is "b""#),
        (#"{"const":{"a":1}}"#, "[]", #"must be {"a":1}, and is an array"#),
        (#"{"minimum":3}"#, "2", "must be at least 3, and is 2"),
        (#"{"exclusiveMinimum":3}"#, "3", "must be greater than 3, and is 3"),
        (#"{"maximum":3}"#, "4", "must be at most 3, and is 4"),
        (#"{"exclusiveMaximum":3}"#, "3", "must be less than 3, and is 3"),
        (#"{"multipleOf":0.5}"#, "0.7", "must be a multiple of 0.5, and is 0.7"),
        (#"{"minLength":2}"#, #""é""#, "must have at least 2 characters, and has 1"),
        (#"{"maxLength":1}"#, #""ab""#, "must have at most 1 characters, and has 2"),
        (#"{"pattern":"^a"}"#, #""b""#, #""b" does not match the pattern "^a""#),
        (#"{"minItems":1}"#, "[]", "must have at least 1 elements, and has 0"),
        (#"{"maxItems":1}"#, "[1,2]", "must have at most 1 elements, and has 2"),
        (#"{"uniqueItems":true}"#, "[3,1,3]", "is equal to element 0, and elements must differ"),
        (#"{"contains":{"const":1}}"#, "[2]", "no element fits contains"),
        (
            #"{"contains":{"const":1},"minContains":2}"#, "[1]",
            "must have at least 2 elements that fit contains, and has 1"
        ),
        (
            #"{"contains":{"const":1},"maxContains":1}"#, "[1,1]",
            "must have at most 1 elements that fit contains, and has 2"
        ),
        (#"{"prefixItems":[true],"items":false}"#, "[1,2]", "is one element too many"),
        (#"{"required":["id"]}"#, "{}", #""id" is missing"#),
        (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, #""b" is missing, which "a" asks for"#),
        (#"{"minProperties":1}"#, "{}", "must have at least 1 members, and has 0"),
        (#"{"additionalProperties":false}"#, #"{"x":1}"#, #""x" is not a name that the schema permits here"#),
        (#"{"unevaluatedProperties":false}"#, #"{"x":1}"#, #""x" is not a name that the schema permits here"#),
        (#"{"propertyNames":{"maxLength":1}}"#, #"{"xy":1}"#, "must have at most 1 characters, and has 2"),
        (#"{"not":{"type":"null"}}"#, "null", "is what not forbids"),
        (#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, "1", "fits none of the alternatives"),
        (
            #"{"oneOf":[{"minimum":1},{"minimum":2}]}"#, "3",
            "fits more than one of the alternatives, and must fit exactly one"
        ),
        (
            #"{"oneOf":[{"properties":{"a":{"const":1}}},{"properties":{"b":{"type":"string"}},"required":["z"]}]}"#,
            #"{"a":2,"b":"x"}"#, "no alternative fits; in the closest one, must be 1, and is 2"
        ),
        (#"{"properties":{"a":false}}"#, #"{"a":1}"#, "the schema permits no value here"),
    ])
    func `a failure says what is wrong`(_ schema: String, _ value: String, _ message: String) throws {
        #expect(try failures(of: value, in: schema) == [message])
    }

    @Test func `every failure is reported`() throws {
        let schema = #"{"required":["a","b"],"properties":{"c":{"type":"string"},"d":{"minimum":1}}}"#
        #expect(try failures(of: #"{"c":1,"d":0}"#, in: schema).count == 4)
    }

    @Test func `long values are shortened`() throws {
        let long = "\"" + String(repeating: "x", count: 5000) + "\""
        #expect(try failures(of: long, in: #"{"const":"a"}"#)[0].count < 100)
    }
}
