#if os(Linux)
    // Enough for files that import UIKit and do not use it.
    @_exported public import Foundation
#endif
