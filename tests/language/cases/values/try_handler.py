# The value is found in the handler that ran.
# value: 'division by zero'
try:
    result = 1 / 0
except ValueError:
    result = "value"
except ZeroDivisionError as error:
    result = str(error)
