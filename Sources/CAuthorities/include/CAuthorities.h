// Nothing to call: see authorities.c.
