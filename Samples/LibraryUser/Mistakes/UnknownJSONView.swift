// error: cannot find type 'JSONView' in scope
import PushPipeline

func use(_ value: JSONView) {}
