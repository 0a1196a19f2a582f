import Foundation
import SwiftUI
import UIKit

// The views of a package that an extension imports for its model.

/// A label.
public struct PlumageView: View {
    let bird: String

    /// A label for a bird.
    public init(bird: String) { self.bird = bird }

    /// The label.
    public var body: some View {
        Text(bird).foregroundColor(.gray)
    }
}

/// A row of a list.
public final class PlumageCell: UICollectionViewListCell {
    override public func prepareForReuse() {
        super.prepareForReuse()
        contentConfiguration = nil
    }
}

extension Plumage {
    /// The model itself knows a view.
    public static func card(of bird: String) -> PlumageCell {
        let cell = PlumageCell()
        cell.accessibilityLabel = color(of: bird)
        return cell
    }

    /// Of its card.
    public static func height(of bird: String) -> Int {
        Int(card(of: bird).bounds.height)
    }
}

#Preview { PlumageView(bird: "crane") }
