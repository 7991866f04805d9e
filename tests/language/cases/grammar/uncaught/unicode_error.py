# Text that cannot be encoded.
print("é".encode("latin-1"))
"é".encode("ascii")
