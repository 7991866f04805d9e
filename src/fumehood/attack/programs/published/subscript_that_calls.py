# aim: call a function without writing a call, by an operator
# mechanism: __class_getitem__ and __getitem__ set to a builtin
# source: a classic of Python jails in capture-the-flag games
# language: builtins
# reason: the eval that code has goes through the same rules
# jail: process
# plain: loot
class Door:
    __class_getitem__ = eval

try:
    loot(Door["__import__('os')"])
except TypeError:
    loot(eval("__import__('os')"))
