import PushModel

/// The actions of an app's categories by their names, so that a tap costs the same whatever an app has registered.
package final class CategoryIndex: Sendable, Equatable {
    private struct Choices: Sendable {
        /// The first action of each name.
        var actions: [String: ActionCategory.Action] = [:]
        var reportsDismissal = false

        mutating func add(_ category: ActionCategory) {
            for action in category.actions where actions[action.identifier] == nil {
                actions[action.identifier] = action
            }
            reportsDismissal = reportsDismissal || category.reportsDismissal
        }
    }

    /// Fewer categories and actions are looked through, and need no memory for an index.
    private static let mostWithoutIndex = 16

    private let named: [String: Choices]
    private let all: Choices

    init(_ categories: [ActionCategory]) {
        var named: [String: Choices] = [:]
        var all = Choices()
        for category in categories {
            named[category.identifier, default: Choices()].add(category)
            all.add(category)
        }
        self.named = named
        self.all = all
    }

    /// An index to keep; nil for a list that is short enough without one.
    static func kept(for categories: [ActionCategory]) -> CategoryIndex? {
        let count = categories.count + categories.reduce(0) { $0 + $1.actions.count }
        return count > mostWithoutIndex ? CategoryIndex(categories) : nil
    }

    /// True if an app learns that a notification was dismissed.
    ///
    /// - Parameter category: that of the notification; nil if it is unknown, and any may be meant.
    func reportsDismissal(_ category: String?) -> Bool {
        (category.map { named[$0] } ?? all)?.reportsDismissal ?? false
    }

    /// The action of a notification that has a name.
    func action(_ name: String, of category: String?) -> ActionCategory.Action? {
        (category.map { named[$0] } ?? all)?.actions[name]
    }

    /// An index follows from the categories, which are compared themselves.
    package static func == (left: CategoryIndex, right: CategoryIndex) -> Bool { true }
}
