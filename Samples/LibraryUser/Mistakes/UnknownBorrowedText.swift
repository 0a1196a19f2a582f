// error: cannot find type 'BorrowedText' in scope
import PushPipeline

func use(_ value: BorrowedText) {}
