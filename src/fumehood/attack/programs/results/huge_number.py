# aim: return a number whose text takes very long to make
# mechanism: int to text is quadratic and limited to 4300 digits
# language: run
# reason: a value is shown in bounded time
# jail: wire
# plain: none (whether the host survives is what is tested)

value = 7 ** (10**6)
