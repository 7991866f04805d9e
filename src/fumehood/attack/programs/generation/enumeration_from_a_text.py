# aim: have an enumeration be made in a module of the host's
# mechanism: the functional interface of enum with module and qualname
# language: run
# reason: the name of a module is a name, and nothing is looked up by it
# jail: process
# plain: none (a name alone gives nothing in plain Python either)
import enum
Made = enum.Enum("Made", "system popen", module="os", qualname="system")
loot([member.value for member in Made])
