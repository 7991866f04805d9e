# aim: exhaust the stack and go on in the handler
# mechanism: a handler that recurses again
# language: run
# reason: deep recursion is an error of the code
# jail: process
# plain: none (whether the host survives is what is tested)

def deeper():
    try:
        deeper()
    finally:
        deeper()


deeper()
