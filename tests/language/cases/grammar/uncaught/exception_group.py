# A group of exceptions ends the program.
errors = []
for text in ("1", "x", "y"):
    try:
        int(text)
    except ValueError as error:
        errors.append(error)
raise ExceptionGroup("bad input", errors)
