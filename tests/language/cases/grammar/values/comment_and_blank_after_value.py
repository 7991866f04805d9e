# Comments after the last expression do not hide its value.
"text" * 2

# the end
