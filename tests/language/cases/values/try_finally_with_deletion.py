# A finally that ends in a statement without value leaves the value of the body.
# value: 'kept'
temporary = 1
try:
    answer = "kept"
finally:
    del temporary
