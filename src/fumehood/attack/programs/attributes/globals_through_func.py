# aim: unwrap a bound method before reading its namespace
# mechanism: __func__, then __globals__
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import json

loot(json.JSONEncoder().encode.__func__.__globals__)
