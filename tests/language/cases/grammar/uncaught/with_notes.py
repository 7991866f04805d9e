# Notes do not change the message of an exception.
error = ValueError("base message")
error.add_note("hint one")
error.add_note("hint two")
raise error
