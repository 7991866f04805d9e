# A try may not mix except and except*.
try:
    pass
except ValueError:
    pass
except* TypeError:
    pass
