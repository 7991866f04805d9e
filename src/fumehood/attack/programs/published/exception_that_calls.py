# aim: call a function without writing a call, by raising
# mechanism: an exception class whose __init__ or __add__ is a builtin
# source: a classic of Python jails in capture-the-flag games
# language: builtins
# reason: the eval that code has goes through the same rules
# jail: process
# plain: loot
class Door(Exception):
    __add__ = lambda self, text: eval(text)

try:
    raise Door
except Door as door:
    loot(door + "__import__('os')")
