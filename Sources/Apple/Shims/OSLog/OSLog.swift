// The logging of `os`, under the name of the module that also reads logs, which nothing does here.
#if os(Linux)
    @_exported public import os
#endif
