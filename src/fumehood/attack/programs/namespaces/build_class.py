# aim: call the function behind the class statement
# mechanism: __build_class__ with a namespace of the program's own
# language: check
# reason: the class statement is the way to make a class
# jail: process
# plain: none (the function itself gives nothing away in plain Python)

loot(__build_class__(lambda: None, "Made"))
