# Leading zeros are not allowed in decimal integers.
code = 0123
