#if os(Linux)
    // Enough for files that import UIKit and use nothing of it.
    @_exported public import Foundation
#endif
