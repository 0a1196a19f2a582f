/// The kinds of lines. Raw values are the names in the official grammar, which errors contain.
enum TokenKind: String, Sendable {
    case end = "#EOF"
    case empty = "#Empty"
    case comment = "#Comment"
    case tagLine = "#TagLine"
    case featureLine = "#FeatureLine"
    case ruleLine = "#RuleLine"
    case backgroundLine = "#BackgroundLine"
    case scenarioLine = "#ScenarioLine"
    case examplesLine = "#ExamplesLine"
    case stepLine = "#StepLine"
    case docStringSeparator = "#DocStringSeparator"
    case tableRow = "#TableRow"
    case language = "#Language"
    case other = "#Other"
}

/// The rules of the official grammar that become nodes of the document.
enum RuleKind {
    case feature, featureHeader, rule, ruleHeader, background, scenarioDefinition, scenario
    case examplesDefinition, examples, examplesTable, step, dataTable, docString, tags, description
}

/// The official grammar of Gherkin, `gherkin.berp` of cucumber/gherkin, one definition per rule. Nothing else in the
/// parser knows which line may follow which: `StateMachine` is built from this.
indirect enum Grammar: Sendable {
    case token(TokenKind)
    /// A rule that becomes a node of the document.
    case node(RuleKind, Grammar)
    case sequence([Grammar])
    case choice([Grammar])
    case optional(Grammar)
    /// Zero or more.
    case many(Grammar)
    /// One or more.
    case some(Grammar)
    /// A tag line begins this only when a line of that kind follows, with only blank lines, comments and tags in
    /// between.
    case ahead(TokenKind, Grammar)

    static let document = optional(feature)

    static let feature = node(
        .feature, .sequence([featureHeader, .optional(background), .many(scenarioDefinition), .many(rule)]))
    static let featureHeader = node(
        .featureHeader,
        .sequence([.optional(.token(.language)), .optional(tags), .token(.featureLine), descriptionHelper]))

    static let rule = node(.rule, .sequence([ruleHeader, .optional(background), .many(scenarioDefinition)]))
    static let ruleHeader = node(
        .ruleHeader, .sequence([.optional(tags), .token(.ruleLine), descriptionHelper]))

    static let background = node(
        .background, .sequence([.token(.backgroundLine), descriptionHelper, .many(step)]))

    static let scenarioDefinition = ahead(
        .scenarioLine, .node(.scenarioDefinition, .sequence([.optional(tags), scenario])))
    static let scenario = node(
        .scenario, .sequence([.token(.scenarioLine), descriptionHelper, .many(step), .many(examplesDefinition)]))

    static let examplesDefinition = ahead(
        .examplesLine, .node(.examplesDefinition, .sequence([.optional(tags), examples])))
    static let examples = node(
        .examples, .sequence([.token(.examplesLine), descriptionHelper, .optional(examplesTable)]))
    static let examplesTable = node(.examplesTable, .some(.token(.tableRow)))

    static let step = node(.step, .sequence([.token(.stepLine), .optional(stepArgument)]))
    static let stepArgument = choice([
        .sequence([dataTable, .optional(docString)]),
        .sequence([docString, .optional(dataTable)]),
    ])
    static let dataTable = node(.dataTable, .some(.token(.tableRow)))
    static let docString = node(
        .docString, .sequence([.token(.docStringSeparator), .many(.token(.other)), .token(.docStringSeparator)]))

    static let tags = node(.tags, .some(.token(.tagLine)))

    static let descriptionHelper = sequence([.many(.token(.empty)), .optional(description)])
    static let description = node(.description, .some(.choice([.token(.other), .token(.comment)])))
}
