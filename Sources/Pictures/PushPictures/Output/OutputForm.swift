/// The output of a command: lines in one of its formats, or a picture.
package enum OutputForm<Lines: RawRepresentable & CaseIterable & Sendable>: Sendable where Lines.RawValue == String {
    case lines(Lines)
    case picture(PictureForm)

    /// The form of a name such as `csv` or `svg`.
    package init?(_ name: String) {
        if let lines = Lines(rawValue: name) {
            self = .lines(lines)
        } else if let picture = PictureForm(rawValue: name) {
            self = .picture(picture)
        } else {
            return nil
        }
    }

    /// The picture that is asked for, if one is.
    package var picture: PictureForm? {
        guard case .picture(let form) = self else { return nil }
        return form
    }

    /// The lines that are asked for, if any are.
    package var lines: Lines? {
        guard case .lines(let form) = self else { return nil }
        return form
    }

    package static var names: [String] { Lines.allCases.map(\.rawValue) + PictureForm.allCases.map(\.rawValue) }
}

extension OutputForm: CustomStringConvertible {
    /// The name, as the help has it.
    package var description: String {
        switch self {
        case .lines(let form): form.rawValue
        case .picture(let form): form.rawValue
        }
    }
}
