"""States that a cell can spoil, and programs that make, change and look at them; they are for the
plain language."""

from __future__ import annotations

BEFORE = """
import json, math, os, sys, types
import numpy as np
numbers = [1, 2]
table = {"a": [1]}
array = np.arange(5)
class Counter:
    made = 0
    def __init__(self): type(self).made += 1
counter = Counter()
def double(x): return 2 * x
def up():
    n = 0
    while True:
        n += 1
        yield n
counting = up()
next(counting)
settings = types.ModuleType("settings")
settings.level = 1
sys.modules["settings"] = settings
alias = numbers
"""

# Changes everything in place, so that no name has to be bound anew for the change to be seen.
CHANGES = """
numbers.append(3)
table["a"].append(2); table["b"] = 1
array[:] = 9
Counter(); Counter.extra = 1
counter.mine = 1
next(counting)
settings.level = 2
double.mark = 1
import decimal
del json
new = 1
"""

LOOK = """
import sys
(numbers, table, array.tolist(), Counter.made, hasattr(Counter, "extra"), vars(counter), double(21), hasattr(double, "mark"),
 settings.level, sys.modules["settings"] is settings, alias is numbers, [name in globals() for name in ("json", "decimal", "new")],
 next(counting))
"""

AS_BEFORE = (
    [1, 2],
    {"a": [1]},
    [0, 1, 2, 3, 4],
    1,
    False,
    {},
    42,
    False,
    1,
    True,
    True,
    [True, False, False],
    2,
)

FILES_BEFORE = """
import os
os.makedirs("/home/user/kept")
for name, text in {"changed": "old", "longer": "old", "deleted": "old", "kept/deep": "old"}.items():
    with open(f"/home/user/{name}", "w") as file: print(text, file=file)
os.symlink("changed", "/home/user/link")
os.chmod("/home/user/longer", 0o640)
"""

FILES_CHANGE = """
import os
open("/home/user/changed", "w").write("NEW")
open("/home/user/longer", "a").write("and more")
os.chmod("/home/user/longer", 0o600)
os.remove("/home/user/deleted")
open("/home/user/made", "w").write("made")
os.makedirs("/home/user/made_too/below"); open("/home/user/made_too/below/file", "w").write("x")
os.rename("/home/user/kept", "/home/user/moved")
os.remove("/home/user/link"); os.symlink("made", "/home/user/link")
"""

FILES_LOOK = """
import os
found = {}
for place, _folders, names in os.walk("/home/user"):
    for name in names:
        path = os.path.join(place, name)
        found[path] = os.readlink(path) if os.path.islink(path) else (open(path).read(), os.stat(path).st_mode & 0o777)
found
"""

# Who of the sandbox lives, by the numbers that the sandbox has for them. Asked with signal 0, which
# does nothing. Whoever may not be sent one is of another sandbox: in a container they see each
# other's numbers.
LIVING = """
import os
def lives(pid):
    try: os.kill(pid, 0)
    except OSError: return False
    return True
[pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if pid > 1 and lives(pid)]
"""

KILL_ALL_OTHERS = """
for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
    if pid not in (1, os.getpid()):
        try: os.kill(pid, 9)
        except OSError: pass
"""

OPEN_FILES = """
import os
open("/home/user/read", "w").write("0123456789")
reading = open("/home/user/read", "rb", buffering=0)
reading.read(3)
appending = open("/home/user/log", "a")
appending.write("one "); appending.flush()
"""
USE_FILES = (
    "appending.write('two '); appending.flush()\nreading.read(2), open('/home/user/log').read()"
)
