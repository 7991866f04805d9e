# A decimal literal with a letter.
price = 12abc
