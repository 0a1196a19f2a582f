// error: no exact matches in call to initializer
import PushPipeline

func tree(_ text: UnsafeRawBufferPointer) throws -> JSONTree { try JSONTree(parsing: text) }
