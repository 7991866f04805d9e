# aim: change the tables by which URLs are joined
# mechanism: urllib.parse.uses_relative is a list
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot

import urllib.parse

urllib.parse.uses_relative.append("escaped")
# --- second executor
import urllib.parse

if "escaped" in urllib.parse.uses_relative:
    loot("mutated: urllib.parse.uses_relative")
