
# Nothing but a comment.

