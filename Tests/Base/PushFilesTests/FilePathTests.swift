import PushFiles
import Testing

struct FilePathTests {
    @Test(arguments: [
        ("/", "/"), ("/a", "/"), ("/a/", "/"), ("/a/b", "/a"), ("/a/b/", "/a"), ("/a//b", "/a"), ("/ä/b.json", "/ä"),
    ])
    func `the parent of a path is the directory that it is in`(path: String, parent: String) {
        #expect(FilePaths.parent(of: path) == parent)
    }
}
