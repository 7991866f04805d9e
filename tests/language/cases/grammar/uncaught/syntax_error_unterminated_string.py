# A string without its closing quote.
text = "no end
