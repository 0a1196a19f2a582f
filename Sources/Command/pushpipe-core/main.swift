import PushCommand

// The command without the tools: what `make run` and `make core` build.
CommandProcess.main()
