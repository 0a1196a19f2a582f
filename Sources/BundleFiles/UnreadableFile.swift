/// Why a file of a bundle cannot be used, in words for whoever gave it.
package struct UnreadableFile: Error {
    package let message: String
}
