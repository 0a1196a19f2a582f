import PushCommand

// The command without the tools: what `make run` builds.
CommandProcess.main()
