# aim: change the list of keywords
# mechanism: keyword.kwlist is a list
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot

import keyword

keyword.kwlist.clear()
# --- second executor
import keyword

if not keyword.kwlist:
    loot("mutated: keyword.kwlist")
