# Hand out the method object itself.
# mechanism: the attribute is read without being called
# stopped by: guard
# reason: the raw method reads the attributes any template names

loot("{}".format)
