# The print statement of another age.
print "hello"
