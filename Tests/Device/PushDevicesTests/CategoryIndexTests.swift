import PushModel
import Testing

@testable import PushDevices

/// Looking up an action, compared with looking through all categories.
struct CategoryIndexTests {
    /// Categories and actions with few names, so that some appear twice.
    private static let categories: [ActionCategory] = (0..<40).map { number in
        var category = ActionCategory("C\(number % 30)")
        category.actions = (0..<number % 5).map { action in
            var made = ActionCategory.Action("A\(action * number % 7)", title: "\(number)")
            made.takesText = action % 2 == 0
            return made
        }
        category.reportsDismissal = number % 9 == 0
        return category
    }

    @Test(arguments: [nil, "", "C0", "C4", "C9", "C29", "C30"])
    func `an index finds what the list has first`(category: String?) {
        let index = CategoryIndex(Self.categories)
        let possible = Self.categories.filter { category == nil || $0.identifier == category }
        for action in (0..<8).map({ "A\($0)" }) {
            let expected = possible.flatMap(\.actions).first { $0.identifier == action }
            #expect(index.action(action, of: category) == expected)
        }
        #expect(index.reportsDismissal(category) == possible.contains(where: \.reportsDismissal))
    }

    @Test func `an app with few categories needs no index`() {
        var details = InstallationDetails()
        func set(_ categories: [ActionCategory]?) {
            details.settings.categories = categories
            details.indexCategories()
        }
        set(Array(Self.categories.prefix(3)))
        #expect(details.categoryIndex == nil)
        set(Self.categories)
        #expect(details.categoryIndex != nil)
        set(nil)
        #expect(details.categoryIndex == nil && details.isEmpty)
    }
}
