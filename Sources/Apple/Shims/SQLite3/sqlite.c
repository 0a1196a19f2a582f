// So that this is a target of C.
