# Import in executed text.
# mechanism: exec of an import statement
# stopped by: builtins
# reason: executed text goes through the same check

exec('import sub' + 'process as found')
loot(found)
