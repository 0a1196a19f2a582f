import Testing

@testable import ScreenPictures

struct PictureThemeTests {
    @Test(arguments: PictureTheme.Role.allCases)
    func `Each role has one color in either appearance`(_ role: PictureTheme.Role) {
        let rows = PictureTheme.colors.filter { $0.role == role }
        #expect(rows.count == 1)
        for paint in rows.flatMap({ [$0.light, $0.dark] }) {
            #expect(
                paint.hex.utf8.count == 7 && paint.hex.hasPrefix("#") && Int(paint.hex.dropFirst(), radix: 16) != nil)
            #expect((1...100).contains(paint.percent))
        }
        #expect(PictureTheme.css.contains("--\(role.rawValue):"))
    }

    @Test func `Opacity is a fourth pair of digits`() {
        #expect(PictureTheme.Paint("#102030", 50).css == "#10203080")
        #expect(PictureTheme.Paint("#102030", 1).css == "#10203003")
        #expect(PictureTheme.Paint("#102030").css == "#102030")
    }

    /// Black or white on a color: WCAG 2.2 wants a contrast of 4.5 for text.
    @Test(arguments: [
        (PictureTheme.Role.ink, PictureTheme.Role.page), (.dim, .page), (.shadeInk, .shade), (.shadeInk, .shadeCard),
        (.shadeDim, .shadeCard), (.switchOnInk, .switchOn), (.shadeInk, .switchOff), (.activityInk, .activity),
        (.activityDim, .activity), (.cellInk, .first), (.cellInk, .second), (.cellInk, .third),
    ])
    func `Text can be read on its background`(text: PictureTheme.Role, background: PictureTheme.Role) {
        let (ink, ground) = (PictureTheme.paint(text), PictureTheme.paint(background))
        #expect(contrast(ink.light.hex, ground.light.hex) >= 4.5)
        #expect(contrast(ink.dark.hex, ground.dark.hex) >= 4.5)
    }

    private func contrast(_ one: String, _ other: String) -> Double {
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// Relative luminance of sRGB; the square stands for the exponent 2.4, which is a little stricter in the dark.
    private func luminance(_ hex: String) -> Double {
        let number = Int(hex.dropFirst(), radix: 16) ?? 0
        let weights: [(shift: Int, weight: Double)] = [(16, 0.2126), (8, 0.7152), (0, 0.0722)]
        return weights.reduce(0) { sum, part in
            let share = Double(number >> part.shift & 255) / 255
            return sum + part.weight * share * share
        }
    }

    @Test(arguments: [
        (0.0, "0"), (12, "12"), (12.5, "12.5"), (12.05, "12.05"), (-3.25, "-3.25"), (0.001, "0"), (.nan, "0"),
        (.infinity, "0"), (1e300, "0"),
    ])
    func `Numbers have at most two decimals`(number: Double, text: String) { #expect(SVGNumber.text(number) == text) }
}
