# Nonlocal needs an enclosing function.
nonlocal x
