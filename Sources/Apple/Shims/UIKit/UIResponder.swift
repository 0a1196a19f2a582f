#if os(Linux)
    public import Foundation

    // The classes that an app's interface derives from, so that modules which an app shares with its extension compile. Nothing is drawn.

    /// An object of an interface.
    @preconcurrency @MainActor
    open class UIResponder: NSObject {
        public override nonisolated init() {}
        /// None.
        open var next: UIResponder? { nil }
        /// False.
        open var isFirstResponder: Bool { false }
        /// False.
        @discardableResult
        open func becomeFirstResponder() -> Bool { false }
        /// False.
        @discardableResult
        open func resignFirstResponder() -> Bool { false }
    }

    /// A part of the screen.
    @preconcurrency @MainActor
    open class UIView: UIResponder {
        /// Its place.
        open var frame: CGRect
        /// Its size.
        open var bounds: CGRect {
            get { CGRect(origin: .zero, size: frame.size) }
            set { frame.size = newValue.size }
        }
        /// True if it is not shown.
        open var isHidden = false
        /// How opaque it is.
        open var alpha: CGFloat = 1
        /// A number of the app's.
        open var tag = 0
        /// The views in it.
        open private(set) var subviews: [UIView] = []
        /// The view around it.
        open private(set) weak var superview: UIView?

        /// Makes a view.
        public nonisolated init(frame: CGRect) {
            self.frame = frame
            super.init()
        }

        /// Makes a view without a size.
        public override convenience nonisolated init() { self.init(frame: .zero) }

        /// Adds a view.
        open func addSubview(_ view: UIView) {
            view.removeFromSuperview()
            subviews.append(view)
            view.superview = self
        }

        /// Leaves the view around it.
        open func removeFromSuperview() {
            superview?.subviews.removeAll { $0 === self }
            superview = nil
        }

        /// Arranges its views. Never called here.
        open func layoutSubviews() {}
        /// Without effect.
        open func setNeedsLayout() {}
        /// Without effect.
        open func setNeedsDisplay() {}
    }

    /// A window of an app.
    @preconcurrency @MainActor
    open class UIWindow: UIView {
        /// The controller of what it shows.
        open var rootViewController: UIViewController?
        /// Its scene.
        open weak var windowScene: UIWindowScene?
        /// False.
        open var isKeyWindow: Bool { false }
    }

    /// An instance of an app's interface.
    @preconcurrency @MainActor
    open class UIScene: UIResponder {
        /// Its state.
        open var activationState: ActivationState { .background }

        /// The state of a scene.
        public enum ActivationState: Int, Sendable {
            /// It is not connected.
            case unattached = -1
            /// It has the screen.
            case foregroundActive
            /// It has the screen, and no events.
            case foregroundInactive
            /// It does not have the screen.
            case background
        }
    }

    /// A scene with windows.
    @preconcurrency @MainActor
    open class UIWindowScene: UIScene {
        /// None.
        open var windows: [UIWindow] { [] }
        /// None.
        open var keyWindow: UIWindow? { nil }
    }

    /// A controller of a view. Never loaded here.
    @preconcurrency @MainActor
    open class UIViewController: UIResponder {
        /// Its view.
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        open var view: UIView! = UIView()
        /// Its title.
        open var title: String?
        /// True once its view is there.
        open var isViewLoaded: Bool { false }
        /// The controller around it.
        open weak var parent: UIViewController?
        /// The controllers in it.
        open var children: [UIViewController] { [] }
        /// The controller that it presents.
        open var presentedViewController: UIViewController? { nil }
        /// The controller that presents it.
        open var presentingViewController: UIViewController? { nil }

        /// Makes a controller. Nothing is read from a nib here.
        public nonisolated init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
        /// Makes a controller.
        public override convenience nonisolated init() { self.init(nibName: nil, bundle: nil) }

        /// Never called here.
        open func loadView() {}
        /// Never called here.
        open func viewDidLoad() {}
        /// Never called here.
        open func viewWillAppear(_ animated: Bool) {}
        /// Never called here.
        open func viewDidAppear(_ animated: Bool) {}
        /// Never called here.
        open func viewWillDisappear(_ animated: Bool) {}
        /// Never called here.
        open func viewDidDisappear(_ animated: Bool) {}
        /// Never called here.
        open func viewDidLayoutSubviews() {}
        /// Presents nothing.
        open func present(
            _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
        ) {}
        /// Dismisses nothing.
        open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
    }

    /// An object that an activity restores.
    public protocol UIUserActivityRestoring {}

    extension UIResponder: @preconcurrency UIUserActivityRestoring {}
#endif
