# aim: read a frame out of an exception group
# mechanism: except* and the parts of the group
# source: CVE-2025-22153 (RestrictedPython)
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

try:
    raise ExceptionGroup("", [ValueError()])
except* ValueError as group:
    loot(group.__traceback__.tb_frame)
