# aim: wrap a file descriptor of the host
# mechanism: open() with a number, through io.TextIOWrapper
# language: view
# reason: functions that open files are left out
# jail: process
# plain: loot

import io

loot(io.TextIOWrapper(io.FileIO(1, 'w', closefd=False)))
