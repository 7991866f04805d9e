# Return a number whose text takes very long to make.
# mechanism: int to text is quadratic and limited to 4300 digits
# stopped by: run
# reason: a value is shown in bounded time
# control: none (whether the host survives is what is tested)

value = 7 ** (10**6)
