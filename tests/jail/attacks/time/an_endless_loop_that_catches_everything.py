# aim: catch the exception that ends a cell
# layer: clock, keeper
# expect: fault timeout
# plain: hangs
# limits: cell_seconds=1
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
