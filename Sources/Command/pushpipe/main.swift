import PushCommand
import PushGateway

CommandProcess.main(over: NIONetwork())
