# aim: have a class body run with another namespace
# mechanism: types.new_class with an exec_body that is a function of the library
# language: run
# reason: what a body is given is its own namespace
# jail: process
# plain: none (the namespace is the class's own in plain Python as well)
import types
seen = []
types.new_class("Made", (), {}, lambda space: seen.append(space))
loot(seen)
