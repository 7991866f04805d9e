# Change the list of keywords.
# mechanism: keyword.kwlist is a list
# stopped by: run
# reason: library data are shared by every session and by the host

import keyword

keyword.kwlist.clear()
# --- second executor
import keyword

if not keyword.kwlist:
    loot("mutated: keyword.kwlist")
