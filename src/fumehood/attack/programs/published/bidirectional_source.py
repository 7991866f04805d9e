# aim: have a reader see other code than runs
# mechanism: a change of direction inside a comment and a string
# source: CVE-2021-42574
# language: builtins
# reason: what runs is what the parser reads, and that is what is checked
# jail: process
# plain: loot
level = "user"
if level != "user\u202e \u2066# only if allowed\u2069 \u2066":
    loot(eval("__import__('os')"))
