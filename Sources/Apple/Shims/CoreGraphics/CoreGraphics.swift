// The pictures of UIKit: on Apple's systems their pixels are of CoreGraphics.
#if os(Linux)
    @_exported public import UIKit
#endif
