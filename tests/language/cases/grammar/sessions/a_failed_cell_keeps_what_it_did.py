# What a cell did before it raised stays done.
log = ["start"]
# ---
log.append("second")
half = "assigned"
raise ValueError("stop here")
log.append("never")
# ---
print(log, half)
# ---
undefined_here
# ---
len(log)
