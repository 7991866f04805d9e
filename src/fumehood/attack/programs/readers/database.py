# aim: read or write a file as a database
# mechanism: sqlite3.connect, and ATTACH
# language: check
# reason: the policy does not authorize sqlite3
# jail: mount namespace, landlock
# plain: loot
import sqlite3
base = sqlite3.connect(scratch_path)
base.execute("create table t (a)")
base.commit()
