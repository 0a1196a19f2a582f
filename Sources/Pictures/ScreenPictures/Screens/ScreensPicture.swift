import PushModel

/// The screens of devices next to each other.
package enum ScreensPicture {
    private static let margin = 28.0
    private static let gap = 32.0
    private static let captionHeight = 62.0
    private static let dockHeight = 92.0
    static let mostIcons = 4
    /// The greatest number on an icon; a longer one would cover it.
    static let mostBadge = 9999

    /// Draws the screens: a lock screen for an Apple device, a shade for all others. The same screens give the same bytes.
    package static func draw(_ contents: ScreenContents) -> Picture {
        var canvas = SVGCanvas()
        let screens = contents.screens
        let bodies = screens.map(DeviceDrawing.init)
        let bodyWidth = PictureTheme.screenWidth + 2 * PictureTheme.bezelWidth
        let bodyHeight = (bodies.map(\.height).max() ?? 120) + 2 * PictureTheme.bezelWidth
        let hasIcons = screens.contains { !$0.icons.isEmpty }
        let columns = Double(max(screens.count, 1))
        let width = 2 * margin + columns * bodyWidth + (columns - 1) * gap
        let height =
            screens.isEmpty ? 160 : margin + bodyHeight + captionHeight + (hasIcons ? dockHeight : 0) + margin - 12
        canvas.rectangle(PictureFrame(x: 0, y: 0, width: width, height: height), radius: 24, .page)
        for (position, body) in bodies.enumerated() {
            let x = margin + Double(position) * (bodyWidth + gap)
            canvas.group(fonts: body.fonts) { canvas in
                canvas.moved(x: x, y: margin) { body.draw(on: &$0) }
                canvas.moved(x: x, y: margin + body.height + 2 * PictureTheme.bezelWidth) {
                    drawCaption(of: body.screen, width: bodyWidth, on: &$0)
                }
            }
        }
        if screens.isEmpty {
            canvas.group(fonts: PictureTheme.appleFonts) { canvas in
                canvas.text("Nothing on screen", x: width / 2, y: 86, .init(17, .dim, anchor: .middle))
            }
        }
        let title =
            screens.count == 1
            ? "The screen of \(PictureText.deviceName(screens[0].device))" : "\(screens.count) screens"
        var picture = canvas.picture(
            width: width, height: height, title: screens.isEmpty ? "Nothing on screen" : title,
            description: screens.map(ScreenText.text).joined(separator: "\n"))
        if contents.devicesLeftOut > 0 {
            let noun = contents.devicesLeftOut == 1 ? "device is" : "devices are"
            picture.note =
                "\(PictureText.grouped(contents.devicesLeftOut)) more \(noun) not drawn"
        }
        return picture
    }

    private static func counts(of screen: PhoneScreen) -> String {
        func counted(_ number: Int, _ one: String, _ many: String) -> String? {
            number == 0 ? nil : "\(PictureText.grouped(number)) \(number == 1 ? one : many)"
        }
        let counts = [
            counted(screen.activities.count, "Live Activity", "Live Activities"),
            counted(screen.count, "notification", "notifications"),
        ]
        return counts.compactMap(\.self).joined(separator: ", ")
    }

    private static func drawCaption(of screen: PhoneScreen, width: Double, on canvas: inout SVGCanvas) {
        canvas.text(
            PictureText.deviceName(screen.device), x: width / 2, y: 30, .init(16, .ink, weight: 600, anchor: .middle))
        canvas.text(
            counts(of: screen), x: width / 2, y: 51, .init(14, .dim, anchor: .middle))
        // The numbers are on the home screen.
        let size = 56.0
        let step = 84.0
        let shown = screen.icons.prefix(mostIcons)
        var x = width / 2 - (Double(shown.count) * step - (step - size)) / 2
        for icon in shown {
            canvas.icon(of: icon.app, x: x, y: 72, size: size)
            let number = icon.badge > mostBadge ? "\(PictureText.grouped(mostBadge))+" : PictureText.grouped(icon.badge)
            let badge = max(TextLayout.width(number, size: 14) + 12, 23)
            canvas.rectangle(
                PictureFrame(x: x + size + 8 - badge, y: 64, width: badge, height: 23), radius: 11.5, .badge)
            canvas.text(
                number, x: x + size + 8 - badge / 2, y: 80.5, .init(14, .badgeInk, weight: 500, anchor: .middle))
            canvas.text(
                TextLayout.shortened(PictureText.appName(icon.app), size: 12, room: step - 4), x: x + size / 2, y: 145,
                .init(12, .ink, anchor: .middle))
            x += step
        }
        let left = screen.icons.count - shown.count
        if left > 0 { canvas.text("+ \(PictureText.grouped(left))", x: x - 8, y: 106, .init(15, .dim, weight: 600)) }
    }
}

private struct DeviceDrawing {
    let screen: PhoneScreen
    let height: Double
    let fonts: String
    private let drawing: (inout SVGCanvas) -> Void

    init(_ screen: PhoneScreen) {
        self.screen = screen
        if screen.platform == .ios {
            let lock = LockScreen(screen)
            (height, fonts, drawing) = (lock.height, PictureTheme.appleFonts, { lock.draw(on: &$0) })
        } else {
            let shade = Shade(screen)
            (height, fonts, drawing) = (shade.height, PictureTheme.androidFonts, { shade.draw(on: &$0) })
        }
    }

    func draw(on canvas: inout SVGCanvas) { drawing(&canvas) }
}

/// The contents of a screen as text, for those who cannot see the picture.
enum ScreenText {
    static func text(_ screen: PhoneScreen) -> String {
        var lines = [
            "\(PictureText.line(screen.device)), \(PictureClock.shortDate(screen.time)) \(PictureClock.time(screen.time)):"
        ]
        for activity in screen.activities.prefix(LockScreen.mostActivities) {
            let state = activity.contentState.map { PictureText.line($0) } ?? ""
            lines.append("Live Activity \(PictureText.appName(activity.app)), \(activity.state.rawValue): \(state)")
        }
        for card in screen.cards {
            let content = card.notification.content
            let texts = [content.title, content.subtitle, content.body].compactMap { $0.map { PictureText.line($0) } }
            lines.append("\(PictureText.appName(card.app)): \(texts.joined(separator: " – "))")
        }
        let left =
            screen.count - screen.cards.count + max(screen.activities.count - LockScreen.mostActivities, 0)
        if left > 0 { lines.append("and \(PictureText.grouped(left)) more") }
        for icon in screen.icons.prefix(ScreensPicture.mostIcons) {
            lines.append("\(PictureText.appName(icon.app)) has the number \(icon.badge)")
        }
        return lines.joined(separator: "\n")
    }
}
