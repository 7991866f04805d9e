# aim: remove the dialect the host reads tables with
# mechanism: csv.unregister_dialect
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot

import csv

csv.unregister_dialect("unix")
# --- second executor
import csv

if "unix" not in csv.list_dialects():
    loot("mutated: the csv dialect unix")
