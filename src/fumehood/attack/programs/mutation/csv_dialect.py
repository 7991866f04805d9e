# aim: change how the host reads tables
# mechanism: csv.register_dialect overwrites the default dialect
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot

import csv

csv.register_dialect("excel", delimiter=";")
# --- second executor
import csv

if next(csv.reader(["a;b"], "excel")) == ["a", "b"]:
    loot("mutated: the csv dialect excel")
