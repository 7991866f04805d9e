# The clean-up in a finally does not replace the value of the handler.
# value: 'handled'
try:
    [][0]
except IndexError:
    "handled"
finally:
    print("cleaned up")
