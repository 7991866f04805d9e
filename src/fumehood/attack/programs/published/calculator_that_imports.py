# aim: run a command by an expression that was to be mathematics
# mechanism: __import__ in an expression that a chain evaluates
# source: CVE-2023-29374 (LangChain's LLMMathChain)
# language: builtins
# reason: the eval that code has goes through the same rules
# jail: process
# plain: loot
loot(eval("__import__('subprocess').check_output"))
