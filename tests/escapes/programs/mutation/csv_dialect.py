# Change how the host reads tables.
# mechanism: csv.register_dialect overwrites the default dialect
# stopped by: run
# reason: library data are shared by every session and by the host

import csv

csv.register_dialect("excel", delimiter=";")
# --- second executor
import csv

if next(csv.reader(["a;b"], "excel")) == ["a", "b"]:
    loot("mutated: the csv dialect excel")
