# The program ends with an exception class raised without arguments.
raise LookupError
