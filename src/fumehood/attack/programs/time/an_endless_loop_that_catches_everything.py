# aim: catch the exception that ends a cell
# mechanism: except BaseException around an endless loop
# language: nothing (inline, an exception that is caught again and again ends nothing)
# jail: clock, init
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=1
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
