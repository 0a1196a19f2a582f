// error: 'tree' used after consume
import PushPipeline

func trees() throws -> Bool {
    let tree = try JSONTree("a")
    let copy = tree
    return copy.has("") && tree.has("")
}
