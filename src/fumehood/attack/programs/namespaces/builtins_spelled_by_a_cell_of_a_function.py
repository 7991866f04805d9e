# aim: keep the namespace of one session and change it from another
# mechanism: a list of the library's as a meeting place
# language: run
# reason: two sessions share no object that either can write to
# jail: process
# plain: loot

import keyword

keyword.kwlist.append(globals())
# --- second executor
import keyword

if isinstance(keyword.kwlist[-1], dict):
    loot("mutated: the list of keywords now holds another session's variables")
