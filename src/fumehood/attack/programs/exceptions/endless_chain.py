# aim: raise an exception that is its own cause and context, many times nested
# mechanism: chains and groups without end
# language: run
# reason: showing an error takes bounded time and depth
# jail: process
# plain: none (whether the host survives showing it is what is tested)

error = ValueError("start")
for number in range(3000):
    error = ExceptionGroup("group", [error])
first, second = KeyError(1), KeyError(2)
first.__cause__, second.__cause__ = second, first
error.__cause__ = first
raise error
