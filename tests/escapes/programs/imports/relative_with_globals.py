# Import relative to a package of choice by calling the import function.
# mechanism: __import__ with globals that name a package and level=1
# stopped by: builtins
# reason: imports of modules that are not authorized are refused, relative ones too

loot(__import__('util', {'__package__': 'importlib'}, None, ['x'], 1))
