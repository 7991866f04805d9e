# Cells without statements do nothing.
# ---
# only a comment
# ---

# ---
"the end"
