package import Foundation

/// The folder of the package's sources.
package let packageFolder = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
