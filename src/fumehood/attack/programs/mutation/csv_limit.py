# aim: make the host refuse ordinary tables
# mechanism: csv.field_size_limit
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot

import csv

csv.field_size_limit(1)
# --- second executor
import csv

try:
    list(csv.reader(["long"]))
except csv.Error:
    loot("mutated: the csv field size limit")
