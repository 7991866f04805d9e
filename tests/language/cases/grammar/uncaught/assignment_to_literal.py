# A literal is no target.
5 = x
