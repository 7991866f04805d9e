# The value is found in the branch of an if that was taken.
# value: 'positive'
n = 5
if n > 0:
    sign = "positive"
else:
    sign = "negative"
