// error: (initializer is inaccessible|missing argument)
import PushPipeline

func message() -> PushMessage { PushMessage() }
