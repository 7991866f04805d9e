# The parser accepts it, the compiler does not.
print("never printed")
return 5
