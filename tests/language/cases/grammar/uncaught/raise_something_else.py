# Raising what is no exception is itself a TypeError.
raise "a string"
