# aim: import relative to a package of choice by calling the import function
# mechanism: __import__ with globals that name a package and level=1
# language: builtins
# reason: imports of modules that are not authorized are refused, relative ones too
# jail: process
# plain: loot

loot(__import__('util', {'__package__': 'importlib'}, None, ['x'], 1))
