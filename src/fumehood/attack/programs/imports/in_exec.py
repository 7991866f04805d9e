# aim: import in executed text
# mechanism: exec of an import statement
# language: builtins
# reason: executed text goes through the same check
# jail: process
# plain: loot

exec('import sub' + 'process as found')
loot(found)
