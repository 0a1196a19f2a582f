import PushCommand
import PushTools

CommandProcess.main(with: .all)
