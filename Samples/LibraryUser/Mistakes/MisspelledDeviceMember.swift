// error: have '_:isUnregisterd:', expected '_:isUnregistered:'
import PushpipeTesting

let device = PushpipeServer.Device("ab12", isUnregisterd: true)
