package import PayloadJSON
package import PushGherkinRunner
package import PushText

/// The list of steps, for a terminal and for programs.
package enum StepCatalogue {
    package static func text(_ library: StepLibrary<ScenarioWorld>, _ style: TextStyle) -> String {
        library.definitions.map { step in
            let example = step.example.split(separator: "\n").map { "      \($0)\n" }.joined()
            return
                "\(step.keyword.rawValue) \(style.bold(step.pattern.source))\n  \(step.summary)\n\(style.dim(example))"
        }.joined(separator: "\n")
    }

    /// Appends a line of JSON for each step.
    package static func appendJSON(_ library: StepLibrary<ScenarioWorld>, to out: inout ByteBuffer) {
        for step in library.definitions {
            out.append("{\"keyword\":")
            out.appendJSONString(step.keyword.rawValue)
            out.appendMember("pattern", step.pattern.source)
            out.appendMember("summary", step.summary)
            out.appendMember("example", step.example)
            out.append("}\n")
        }
    }
}
