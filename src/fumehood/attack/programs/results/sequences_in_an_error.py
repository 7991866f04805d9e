# aim: have the terminal of who reads an error obey it
# mechanism: escape sequences in the message, in the name of the exception and in the line that failed
# language: nothing (any program may raise)
# jail: host
# plain: none (in a plain process an error goes to its own terminal)
# expect: error Failure
# host: show
# hosts: root
class Failure(Exception):
    def __str__(self):
        return "\x1b[2J\x1b]52;c;Zm9yZ2Vk\x07"

raise Failure("\x1b[2J")  # [2J
