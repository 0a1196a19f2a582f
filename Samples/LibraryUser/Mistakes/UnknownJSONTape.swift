// error: cannot find type 'JSONTape' in scope
import PushPipeline

func use(_ value: JSONTape) {}
