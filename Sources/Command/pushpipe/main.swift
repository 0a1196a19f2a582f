import PushCommand
import PushGatewayTLS

CommandProcess.main(over: NIONetwork())
