#if os(Linux)
    // Extensions import only UserNotifications, and use what it re-exports on Apple's systems: URLSession, DispatchQueue, Data.
    @_exported public import Dispatch
    @_exported public import Foundation
    @_exported public import FoundationNetworking
#endif
