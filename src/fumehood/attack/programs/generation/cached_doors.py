# aim: have a cache keep what a guarded function gives only once
# mechanism: functools.lru_cache and singledispatch around getattr
# language: builtins
# reason: what is wrapped is the guarded function
# jail: process
# plain: loot
import functools, json
loot(functools.lru_cache(getattr)(json.dumps, "__globals__"))
