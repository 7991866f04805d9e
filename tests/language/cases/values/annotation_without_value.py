# An annotation without a value assigns nothing and gives None.
count: int
# ---
count
