# aim: never end
# mechanism: while True
# language: run
# reason: a timer of the host's stops Python code
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=1
while True:
    pass
