# aim: never end
# layer: clock
# expect: fault timeout
# plain: hangs
# limits: cell_seconds=1
while True:
    pass
