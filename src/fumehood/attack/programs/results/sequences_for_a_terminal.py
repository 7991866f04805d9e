# aim: have the terminal of who reads the output obey it
# mechanism: escape sequences that clear the screen, set the clipboard and the title, in 7 and 8 bits
# source: CVE-2003-0063 (a title that is read back as typed text)
# language: nothing (any program may print)
# jail: host
# plain: none (in a plain process what is printed goes to its own terminal)
# expect: held
# host: show
# hosts: root
print("\x1b[2J\x1b]52;c;Zm9yZ2Vk\x07\x1b]0;title\x07\x1b[21t\x9b31m\x90q\x9c\x1bP+q\x1b\\\r\b\x7f")
"held: \x1b[31mred\x1b[0m \x9b5n"
