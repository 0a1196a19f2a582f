import PushText

extension ParameterError {
    /// Names the option of the value: `report file` is that of `--report-file`.
    var namingOption: String { description { "--" + $0.replacing(" ", with: "-") } }
}
