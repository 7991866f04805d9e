# Exhaust the stack and go on in the handler.
# mechanism: a handler that recurses again
# stopped by: run
# reason: deep recursion is an error of the code
# control: none (whether the host survives is what is tested)

def deeper():
    try:
        deeper()
    finally:
        deeper()


deeper()
