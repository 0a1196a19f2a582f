package import PushGherkinRunner
package import PushText

/// The list of steps, for a terminal and as a page of the documentation.
package enum StepCatalogue {
    package static func text(_ library: StepLibrary<ScenarioWorld>, _ style: TextStyle) -> String {
        library.definitions.map { step in
            let example = step.example.split(separator: "\n").map { "      \($0)\n" }.joined()
            return
                "\(step.keyword.rawValue) \(style.bold(step.pattern.source))\n  \(step.summary)\n\(style.dim(example))"
        }.joined(separator: "\n")
    }

    package static func markdown(_ library: StepLibrary<ScenarioWorld>) -> String {
        var page = """
            # The steps of `pushpipe test`

            Written by `make steps`. Only the text of a step matters; `Given`, `When`, `Then`, `And`, `But` or `*` may precede it.
            `{string}` is a text in double or single quotes, `{int}` and `{float}` are numbers, `{word}` is a word without spaces.
            Letters in parentheses are optional. How to run scenarios: [scenarios.md](../guides/scenarios.md).

            """
        for keyword in StepKeyword.allCases {
            page += "\n## \(keyword.rawValue)\n"
            for step in library.definitions where step.keyword == keyword {
                page += "\n### \(step.pattern.source)\n\n\(step.summary)\n\n```gherkin\n\(step.example)\n```\n"
            }
        }
        return page
    }
}
