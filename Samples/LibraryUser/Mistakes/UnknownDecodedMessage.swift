// error: cannot find type 'DecodedMessage' in scope
import PushPipeline

func use(_ value: DecodedMessage) {}
