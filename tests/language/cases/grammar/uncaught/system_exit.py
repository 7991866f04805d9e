# The program ends itself with a status.
print("leaving")
raise SystemExit(3)
