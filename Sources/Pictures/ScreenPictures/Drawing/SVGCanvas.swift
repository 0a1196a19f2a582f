import PushText

/// A rectangle in points, from its top left corner.
package struct PictureFrame: Sendable, Equatable {
    package var x, y, width, height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var maxX: Double { x + width }
    package var maxY: Double { y + height }
    package var midX: Double { x + width / 2 }
    package var midY: Double { y + height / 2 }

    package func inset(_ dx: Double, _ dy: Double) -> PictureFrame {
        PictureFrame(x: x + dx, y: y + dy, width: max(width - 2 * dx, 0), height: max(height - 2 * dy, 0))
    }
}

/// Collects the elements of a picture. Every text is escaped here and nowhere else; whatever it holds, the result is well-formed XML.
package struct SVGCanvas {
    package typealias Role = PictureTheme.Role

    /// How a text is set.
    package struct Lettering {
        package enum Anchor: String {
            case start, middle, end
        }

        package var size: Double
        package var role: Role
        package var weight = 400
        package var anchor = Anchor.start
        /// Space between letters in points.
        package var spacing = 0.0

        package init(_ size: Double, _ role: Role, weight: Int = 400, anchor: Anchor = .start, spacing: Double = 0) {
            self.size = size
            self.role = role
            self.weight = weight
            self.anchor = anchor
            self.spacing = spacing
        }

        package var isBold: Bool { weight >= 600 }
    }

    private var elements = ""
    private var definitions = ""
    private var roles: Set<Role> = []
    private var strokes: Set<Role> = []
    private var wallpapers: Set<Int> = []
    private var icons: Set<Int> = []
    private var clips = 0

    package init() {}

    // MARK: - Shapes

    package mutating func rectangle(
        _ frame: PictureFrame, radius: Double = 0, _ role: Role?, stroke: Role? = nil, width: Double = 1,
        dashes: String? = nil
    ) {
        let dash = dashes.map { " stroke-dasharray=\"\($0)\"" } ?? ""
        elements += "<rect\(attributes(of: frame, radius: radius))\(dash) \(paint(role, stroke, width))/>"
    }

    package mutating func circle(
        x: Double, y: Double, radius: Double, _ role: Role, stroke: Role? = nil, width: Double = 1
    ) {
        elements += "<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" \(paint(role, stroke, width))/>"
    }

    /// A shape by the commands of SVG's `path`, which the caller composes of numbers alone.
    package mutating func path(
        _ commands: String, x: Double, y: Double, scale: Double = 1, _ role: Role?, stroke: Role? = nil,
        width: Double = 1
    ) {
        let size = scale == 1 ? "" : " scale(\(n(scale)))"
        elements +=
            "<path transform=\"translate(\(n(x)) \(n(y)))\(size)\" d=\"\(commands)\" \(paint(role, stroke, width))/>"
    }

    package mutating func line(
        from start: (x: Double, y: Double), to end: (x: Double, y: Double), _ role: Role, width: Double,
        dashes: String? = nil
    ) {
        let dash = dashes.map { " stroke-dasharray=\"\($0)\"" } ?? ""
        elements +=
            "<line x1=\"\(n(start.x))\" y1=\"\(n(start.y))\" x2=\"\(n(end.x))\" y2=\"\(n(end.y))\"\(dash) \(paint(nil, role, width))/>"
    }

    /// The wallpaper of a number of `PictureTheme.wallpapers`.
    package mutating func wallpaper(_ frame: PictureFrame, number: Int) {
        if wallpapers.insert(number).inserted {
            let offsets = ["0", ".55", "1"]
            let stops = offsets.enumerated().map { "<stop offset=\"\($1)\" class=\"w\(number)\($0)\"/>" }.joined()
            definitions +=
                "<linearGradient id=\"w\(number)\" x1=\"0\" y1=\"0\" x2=\".35\" y2=\"1\">\(stops)</linearGradient>"
        }
        elements += "<rect\(attributes(of: frame, radius: 0)) fill=\"url(#w\(number))\"/>"
    }

    /// The icon of an app: the first letter of its name on its colors.
    package mutating func icon(of app: String, x: Double, y: Double, size: Double, isRound: Bool = false) {
        let number = PictureTheme.icon(of: app)
        if icons.insert(number).inserted {
            let colors = PictureTheme.icons[number]
            definitions +=
                "<linearGradient id=\"i\(number)\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop offset=\"0\" stop-color=\"\(colors.top)\"/>"
                + "<stop offset=\"1\" stop-color=\"\(colors.bottom)\"/></linearGradient>"
        }
        let frame = PictureFrame(x: x, y: y, width: size, height: size)
        let radius = isRound ? size / 2 : size * PictureTheme.iconRounding
        elements += "<rect\(attributes(of: frame, radius: radius)) fill=\"url(#i\(number))\"/>"
        let letter = PictureText.appName(app).prefix(1)
        text(
            String(letter), x: frame.midX, y: frame.midY + size * 0.19,
            Lettering(size * 0.54, .badgeInk, weight: 600, anchor: .middle))
    }

    /// A person without a picture: the initials on a circle.
    mutating func avatar(of name: String, x: Double, y: Double, size: Double) {
        circle(x: x + size / 2, y: y + size / 2, radius: size / 2, .tile)
        text(
            PictureText.initials(name), x: x + size / 2, y: y + size / 2 + size * 0.15,
            Lettering(size * 0.42, .glyph, weight: 600, anchor: .middle))
    }

    /// The picture of a person, in a circle.
    ///
    /// - Parameter image: a data URL that `NotificationTraits` has checked. It is escaped all the same.
    mutating func avatar(image: String, x: Double, y: Double, size: Double) {
        let frame = PictureFrame(x: x, y: y, width: size, height: size)
        clipped(to: frame, radius: size / 2) { canvas in
            canvas.elements +=
                "<image\(canvas.attributes(of: frame, radius: 0)) preserveAspectRatio=\"xMidYMid slice\" href=\"\(XMLText.attribute(image))\"/>"
        }
    }

    // MARK: - Text

    /// One line. `x` is where it starts, for a text from right to left its right end.
    package mutating func text(
        _ line: String, x: Double, y: Double, _ lettering: Lettering, isRightToLeft: Bool = false
    ) {
        guard !line.isEmpty else { return }
        roles.insert(lettering.role)
        var attributes =
            " x=\"\(n(x))\" y=\"\(n(y))\" class=\"\(lettering.role.rawValue)\" font-size=\"\(n(lettering.size))\""
        if lettering.weight != 400 { attributes += " font-weight=\"\(lettering.weight)\"" }
        if lettering.anchor != .start { attributes += " text-anchor=\"\(lettering.anchor.rawValue)\"" }
        if lettering.spacing != 0 { attributes += " letter-spacing=\"\(n(lettering.spacing))\"" }
        if isRightToLeft { attributes += " direction=\"rtl\"" }
        elements += "<text\(attributes)>\(XMLText.attribute(PictureText.line(line, most: 2000)))</text>"
    }

    // MARK: - Groups

    /// Adds the drawing of `draw` in other fonts.
    package mutating func group(fonts: String, _ draw: (inout SVGCanvas) -> Void) {
        group("<g font-family=\"\(XMLText.attribute(fonts))\">", draw)
    }

    /// Adds the drawing of `draw`, moved.
    package mutating func moved(x: Double, y: Double, _ draw: (inout SVGCanvas) -> Void) {
        group("<g transform=\"translate(\(n(x)) \(n(y)))\">", draw)
    }

    /// Adds the drawing of `draw`, clipped to a frame.
    package mutating func clipped(to frame: PictureFrame, radius: Double = 0, _ draw: (inout SVGCanvas) -> Void) {
        clips += 1
        definitions += "<clipPath id=\"c\(clips)\"><rect\(attributes(of: frame, radius: radius))/></clipPath>"
        group("<g clip-path=\"url(#c\(clips))\">", draw)
    }

    /// Adds the drawing of `draw`, with a text that browsers show when the pointer rests on it.
    package mutating func titled(_ title: String, _ draw: (inout SVGCanvas) -> Void) {
        group("<g><title>\(XMLText.attribute(PictureText.line(title)))</title>", draw)
    }

    private mutating func group(_ opening: String, _ draw: (inout SVGCanvas) -> Void) {
        elements += "\n\(opening)"
        draw(&self)
        elements += "</g>"
    }

    // MARK: - The picture

    /// The finished picture.
    ///
    /// - Parameters:
    ///   - title: what it is, for those who cannot see it.
    ///   - description: what it shows, likewise.
    package func picture(width: Double, height: Double, title: String, description: String) -> Picture {
        let size = "width=\"\(n(width))\" height=\"\(n(height))\" viewBox=\"0 0 \(n(width)) \(n(height))\""
        let label = XMLText.attribute(PictureText.line(title))
        let text = PictureText.paragraphs(description, most: 20_000).map { XMLText.attribute($0) }.joined(
            separator: "\n")
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" \(size) role="img" aria-label="\(label)">
            <title>\(label)</title>
            <desc>\(text)</desc>
            <style>
            """
        let rest = """
            </style>
            <defs>\(definitions)</defs>
            \(elements)
            </svg>

            """
        return Picture(
            head: head, light: rules(isDark: false), dark: rules(isDark: true), rest: rest, title: title,
            description: description, width: width, height: height)
    }

    /// The rules of the roles that occur.
    private func rules(isDark: Bool) -> String {
        var rules = ""
        for color in PictureTheme.colors {
            let paint = isDark ? color.dark : color.light
            let opacity = paint.percent < 100 || (isDark && color.light.percent < 100) ? paint.percent : nil
            func rule(_ selector: String, _ property: String) -> String {
                let rest = opacity.map { ";\(property)-opacity:\(SVGNumber.text(Double($0) / 100))" } ?? ""
                return ".\(selector){\(property):\(paint.hex)\(rest)}"
            }
            if roles.contains(color.role) { rules += rule(color.role.rawValue, "fill") }
            if strokes.contains(color.role) { rules += rule("s-\(color.role.rawValue)", "stroke") }
        }
        for number in wallpapers.sorted() {
            let wallpaper = PictureTheme.wallpapers[number]
            for (position, color) in (isDark ? wallpaper.dark : wallpaper.light).enumerated() {
                rules += ".w\(number)\(position){stop-color:\(color)}"
            }
        }
        return rules
    }

    private func attributes(of frame: PictureFrame, radius: Double) -> String {
        let corner = radius > 0 ? " rx=\"\(n(radius))\"" : ""
        return
            " x=\"\(n(frame.x))\" y=\"\(n(frame.y))\" width=\"\(n(frame.width))\" height=\"\(n(frame.height))\"\(corner)"
    }

    private mutating func paint(_ fill: Role?, _ stroke: Role?, _ width: Double) -> String {
        var classes: [String] = []
        if let fill {
            roles.insert(fill)
            classes.append(fill.rawValue)
        }
        if let stroke {
            strokes.insert(stroke)
            classes.append("s-\(stroke.rawValue)")
        }
        let attribute = "class=\"\(classes.joined(separator: " "))\""
        return attribute + (fill == nil ? " fill=\"none\"" : "")
            + (stroke == nil ? "" : " stroke-width=\"\(n(width))\"")
    }

    private func n(_ number: Double) -> String { SVGNumber.text(number) }
}

package struct Picture: Sendable {
    /// The document as far as its rules, the rules of both themes, and what comes after them.
    fileprivate let head, light, dark, rest: String
    package let title: String
    /// The contents, as text.
    package let description: String
    /// Its size in points.
    package let width, height: Double
    /// The parts that were left out, for whoever asked for the picture: a line without a line break; nil if nothing was.
    package var note: String?

    /// A document of its own, light or dark as the system of its reader is. Programs that know no media queries draw it light.
    package var svg: String { "\(head)\(light)@media (prefers-color-scheme:dark){\(dark)}\(rest)" }

    /// A document that is dark everywhere.
    package var darkSVG: String { head + light + dark + rest }
}

/// Numbers in SVG: at most two decimals, and the same digits on every machine.
package enum SVGNumber {
    /// `12.5` for 12.5, `3` for 3.0. What is not a number, or beyond a million, is 0: no picture is as large.
    package static func text(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1_000_000 else { return "0" }
        let hundredths = Int((number * 100).rounded())
        let whole = hundredths.magnitude / 100
        let part = hundredths.magnitude % 100
        let sign = hundredths < 0 ? "-" : ""
        if part == 0 { return "\(sign)\(whole)" }
        return part.isMultiple(of: 10)
            ? "\(sign)\(whole).\(part / 10)" : "\(sign)\(whole).\(part < 10 ? "0" : "")\(part)"
    }
}
