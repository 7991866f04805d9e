# aim: start a program that shows pages
# mechanism: webbrowser.register and the subprocess behind it
# language: check
# reason: the policy does not authorize webbrowser
# jail: process
# plain: loot
import webbrowser
loot(webbrowser.subprocess)
