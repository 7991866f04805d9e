# A cell of comments only gives None.
# ---
x = 1
# ---
# nothing here
