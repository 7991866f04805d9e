# aim: hand out the method object itself
# mechanism: the attribute is read without being called
# language: guard
# reason: the raw method reads the attributes any template names
# jail: process
# plain: loot

loot("{}".format)
