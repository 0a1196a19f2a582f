import PushSystem

/// Colors, sizes and fonts of all pictures, in one place: SVG from the command line and the web console use the same.
///
/// Shapes follow iOS 18 and Android 15 as they look on a phone 393 points wide. They are drawn by eye; neither Apple nor Google
/// publishes them as numbers.
package enum PictureTheme {
    /// A color with its opacity.
    package struct Paint: Sendable, Equatable {
        /// Six hexadecimal digits after `#`.
        package let hex: String
        /// Opacity in percent.
        package let percent: Int

        package init(_ hex: String, _ percent: Int = 100) {
            self.hex = hex
            self.percent = percent
        }

        /// The color with its opacity, in CSS.
        package var css: String {
            guard percent < 100 else { return hex }
            return hex + String(Substring(String(0x100 + (percent * 255 + 50) / 100, radix: 16)).dropFirst())
        }
    }

    /// The purpose of a color. The raw value is the name of the class in SVG, and of the custom property in CSS.
    package enum Role: String, Sendable, CaseIterable {
        // Around the devices.
        case page, ink, dim, rule, accent
        // A device.
        case bezel, edge, clock
        // iOS: cards on the wallpaper.
        case card, behind, title, body, time, button, glyph, tile, badge
        case badgeInk = "badge-ink"
        case activity
        case activityInk = "activity-ink"
        case activityDim = "activity-dim"
        // Android: the shade.
        case shade
        case shadeInk = "shade-ink"
        case shadeCard = "shade-card"
        case shadeDim = "shade-dim"
        case switchOn = "switch-on"
        case switchOff = "switch-off"
        case switchOnInk = "switch-on-ink"
        // The journal.
        case shown, replaced, removed, flicker, other, lane
        // Budgets: members by depth, and what no member has.
        case first, second, third, free
        case cellInk = "cell-ink"
    }

    /// All colors.
    package static let colors: [(role: Role, light: Paint, dark: Paint)] = [
        (.page, Paint("#f2f2f7"), Paint("#0d0d12")),
        (.ink, Paint("#1c1c1e"), Paint("#f2f2f7")),
        (.dim, Paint("#5c5c63"), Paint("#9a9aa3")),
        (.rule, Paint("#d6d6de"), Paint("#34343c")),
        (.accent, Paint("#0a6cdf"), Paint("#5ea9ff")),
        (.bezel, Paint("#0b0b0d"), Paint("#060607")),
        (.edge, Paint("#8a8a92"), Paint("#4c4c54")),
        (.clock, Paint("#ffffff", 94), Paint("#ffffff", 92)),
        (.card, Paint("#f7f7fa", 78), Paint("#26262b", 74)),
        (.behind, Paint("#f7f7fa", 45), Paint("#3a3a41", 55)),
        (.title, Paint("#101012"), Paint("#ffffff")),
        (.body, Paint("#18181b"), Paint("#f1f1f4")),
        (.time, Paint("#4f4f58"), Paint("#b4b4bd")),
        (.button, Paint("#1a1a20", 42), Paint("#1a1a20", 55)),
        (.glyph, Paint("#ffffff"), Paint("#ffffff")),
        (.tile, Paint("#8e8e98", 55), Paint("#7a7a84", 60)),
        (.badge, Paint("#ff3b30"), Paint("#ff453a")),
        (.badgeInk, Paint("#ffffff"), Paint("#ffffff")),
        (.activity, Paint("#111114", 90), Paint("#050506", 90)),
        (.activityInk, Paint("#ffffff"), Paint("#ffffff")),
        (.activityDim, Paint("#b0b0b8"), Paint("#a2a2aa")),
        (.shade, Paint("#e9e7f0"), Paint("#121317")),
        (.shadeInk, Paint("#1b1b21"), Paint("#e4e2e9")),
        (.shadeCard, Paint("#fcf8fd"), Paint("#24252b")),
        (.shadeDim, Paint("#55555f"), Paint("#b0afb8")),
        (.switchOn, Paint("#3f5f90"), Paint("#aac7ff")),
        (.switchOff, Paint("#d9d7e1"), Paint("#2c2e35")),
        (.switchOnInk, Paint("#ffffff"), Paint("#0a305f")),
        (.shown, Paint("#2f7d4f"), Paint("#4cc07c")),
        (.replaced, Paint("#0a6cdf"), Paint("#5ea9ff")),
        (.removed, Paint("#8a8a92"), Paint("#8d8d96")),
        (.flicker, Paint("#d8302a"), Paint("#ff6a5f")),
        (.other, Paint("#b26a00"), Paint("#f0a63c")),
        (.lane, Paint("#e4e4ec"), Paint("#1e1e25")),
        (.first, Paint("#cfe0f7"), Paint("#1d3557")),
        (.second, Paint("#a9c8f0"), Paint("#274f80")),
        (.third, Paint("#84b0e8"), Paint("#3468a5")),
        (.free, Paint("#e6e6ec"), Paint("#1e1e25")),
        (.cellInk, Paint("#14202e"), Paint("#eef4fc")),
    ]

    /// The backgrounds of lock screens: colors from top to bottom. A device has one of them, by its name.
    package static let wallpapers: [(light: [String], dark: [String])] = [
        (["#4a6fa5", "#8b7fb8", "#e0a08a"], ["#16263f", "#2f2a4d", "#5b3a3c"]),
        (["#2b7a78", "#5da89a", "#c6cf9b"], ["#0f3131", "#1f4a45", "#4c5439"]),
        (["#5b5ea6", "#9b6fa8", "#e49ab0"], ["#1f2046", "#3e2a4c", "#5e3348"]),
        (["#1f5f8b", "#4d95b8", "#b6d3d2"], ["#0b2a40", "#1b4358", "#3f5657"]),
        (["#6d4c6b", "#b06f6d", "#e8b57c"], ["#2a1b2c", "#4a2c30", "#624628"]),
    ]

    /// Colors of apps' icons from top to bottom. An app has one of them, by its name.
    package static let icons: [(top: String, bottom: String)] = [
        ("#ff7a59", "#e8453c"), ("#ffb340", "#f08a00"), ("#5fcf80", "#1f9d55"), ("#4fc3d9", "#1688a8"),
        ("#5aa9ff", "#1f6fe0"), ("#7f86ff", "#4b4fd0"), ("#c07bff", "#8f3fd6"), ("#ff7fb0", "#d93a7c"),
        ("#9aa3b2", "#5e6878"), ("#3fd0b6", "#12907f"),
    ]

    /// Lengths in points.
    package static let sizes: [(name: String, points: Double)] = [
        ("screen-width", screenWidth), ("screen-height", screenHeight), ("screen-radius", screenRadius),
        ("bezel", bezelWidth), ("card-margin", cardMargin), ("card-radius", cardRadius), ("card-gap", cardGap),
        ("icon", iconSize), ("shade-radius", shadeRadius), ("shade-gap", shadeGap),
    ]

    package static let screenWidth = 393.0
    package static let screenHeight = 852.0
    package static let screenRadius = 50.0
    package static let bezelWidth = 11.0
    package static let cardMargin = 9.0
    package static let cardRadius = 24.0
    package static let cardGap = 8.0
    package static let iconSize = 38.0
    package static let shadeRadius = 28.0
    package static let shadeGap = 2.0
    /// The radius of an icon's corners as a part of its size.
    package static let iconRounding = 0.235

    /// Fonts that an Apple device has, and what is like them elsewhere.
    package static let appleFonts =
        "-apple-system, 'SF Pro Text', Inter, system-ui, 'Helvetica Neue', 'Segoe UI', Roboto, 'Liberation Sans', Arial, "
        + "'DejaVu Sans', sans-serif"
    /// Fonts that an Android device has, and what is like them elsewhere.
    package static let androidFonts =
        "Roboto, 'Google Sans', system-ui, Inter, 'Segoe UI', 'Helvetica Neue', 'Liberation Sans', Arial, 'DejaVu Sans', "
        + "sans-serif"
    package static let monospacedFonts =
        "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace"

    /// The table as custom properties of CSS: `--card`, `--card-radius`, `--font-apple`, `--wallpaper-0`, `--icon-0`.
    ///
    /// Dark where the system is dark, or where the root element has `data-theme="dark"`; `data-theme="light"` is always light.
    package static let css: String = {
        let lengths = sizes.map { "--\($0.name):\(SVGNumber.text($0.points))px" }
        let fonts = [
            "--font-apple:\(appleFonts)", "--font-android:\(androidFonts)", "--font-mono:\(monospacedFonts)",
        ]
        let iconColors = icons.enumerated().map { "--icon-\($0):linear-gradient(\($1.top),\($1.bottom))" }
        let light =
            colors.map { "--\($0.role.rawValue):\($0.light.css)" }
            + wallpapers.enumerated().map { "--wallpaper-\($0):\(gradient($1.light))" }
        let dark =
            colors.map { "--\($0.role.rawValue):\($0.dark.css)" }
            + wallpapers.enumerated().map { "--wallpaper-\($0):\(gradient($1.dark))" }
        return """
            :root{color-scheme:light dark;\((lengths + fonts + iconColors + light).joined(separator: ";"))}
            @media (prefers-color-scheme:dark){:root:not([data-theme=light]){\(dark.joined(separator: ";"))}}
            :root[data-theme=dark]{color-scheme:dark;\(dark.joined(separator: ";"))}
            :root[data-theme=light]{color-scheme:light}

            """
    }()

    private static func gradient(_ stops: [String]) -> String { "linear-gradient(\(stops.joined(separator: ",")))" }

    package static func wallpaper(of device: String) -> Int { choice(device, of: wallpapers.count) }

    /// The number of the colors of an app's icon.
    package static func icon(of app: String) -> Int { choice(app, of: icons.count) }

    private static func choice(_ name: String, of count: Int) -> Int {
        var hash = FNV1a()
        hash.add(name.utf8)
        // The lowest bits of the hash depend on the lowest bits of the bytes alone.
        return Int((hash.value >> 32) % UInt64(count))
    }
}

extension PictureTheme {
    /// The color of a role; the table has one for each.
    package static func paint(_ role: Role) -> (light: Paint, dark: Paint) {
        colors.first { $0.role == role }.map { ($0.light, $0.dark) } ?? (Paint("#000000"), Paint("#ffffff"))
    }
}

/// Times as phones show them, in UTC: a store knows no time zone.
package enum PictureClock {
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let dayLength: Int64 = 86_400_000

    /// The fields of a time: `2026`, `11`, `03`, `20`, `00`, …; nil outside of the years 0 to 9999.
    private static func field(_ time: Int64, _ range: Range<Int>) -> Substring? {
        guard RFC3339.writable.contains(time) else { return nil }
        let text = RFC3339.text(time)
        return text.dropFirst(range.lowerBound).prefix(range.count)
    }

    /// `20:05`.
    package static func time(_ time: Int64) -> String { field(time, 11..<16).map(String.init) ?? "--:--" }

    /// `20:05:09.120`.
    package static func exactTime(_ time: Int64) -> String { field(time, 11..<23).map(String.init) ?? "--:--" }

    /// `Tuesday, November 3`.
    package static func longDate(_ time: Int64) -> String {
        date(time).map { "\(weekday(time)), \($0.month) \($0.day)" } ?? ""
    }

    /// `Tue, Nov 3`.
    package static func shortDate(_ time: Int64) -> String {
        date(time).map { "\(weekday(time).prefix(3)), \($0.month.prefix(3)) \($0.day)" } ?? ""
    }

    private static func date(_ time: Int64) -> (month: String, day: Int)? {
        guard let month = field(time, 5..<7).flatMap({ Int($0) }), months.indices.contains(month - 1),
            let day = field(time, 8..<10).flatMap({ Int($0) })
        else { return nil }
        return (months[month - 1], day)
    }

    /// 1970-01-01 was a Thursday.
    private static func weekday(_ time: Int64) -> String { weekdays[Int((((dayNumber(time) + 4) % 7) + 7) % 7)] }

    private static func dayNumber(_ time: Int64) -> Int64 {
        time / dayLength - (time % dayLength < 0 ? 1 : 0)
    }

    /// How long ago, as iOS says it: `now`, `5m ago`, `2h ago`, `Yesterday`, `Mon`, `Nov 3`.
    package static func ago(_ time: Int64, at now: Int64) -> String {
        let minutes = minutes(from: time, to: now)
        if minutes < 1 { return "now" }
        if minutes < 60 { return "\(minutes)m ago" }
        if dayNumber(time) == dayNumber(now) || minutes < 6 * 60 { return "\(minutes / 60)h ago" }
        let days = dayNumber(now) - dayNumber(time)
        if days == 1 { return "Yesterday" }
        if days < 7 { return String(weekday(time).prefix(3)) }
        return date(time).map { "\($0.month.prefix(3)) \($0.day)" } ?? ""
    }

    /// How long ago, as Android says it: `now`, `5m`, `2h`, `3d`.
    package static func age(_ time: Int64, at now: Int64) -> String {
        let minutes = minutes(from: time, to: now)
        if minutes < 1 { return "now" }
        if minutes < 60 { return "\(minutes)m" }
        return minutes < 24 * 60 ? "\(minutes / 60)h" : "\(minutes / (24 * 60))d"
    }

    /// Whole minutes; 0 for a time that is not in the past.
    private static func minutes(from time: Int64, to now: Int64) -> Int64 {
        let (difference, overflows) = now.subtractingReportingOverflow(time)
        return overflows ? Int64.max / 60_000 : max(difference, 0) / 60_000
    }
}
