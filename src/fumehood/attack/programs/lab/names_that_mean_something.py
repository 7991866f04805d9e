# aim: have names of files mean something to who lists them: other directories, control characters, bytes that are no text
# mechanism: file names with dots, newlines, escape sequences and bytes that are no UTF-8
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: files, wire
# plain: none (nobody lists the files of a plain process)
# expect: held
# host: list
# needs: mount namespace
for name in (b"\x1b[2Jcleared", b"a\nb", b"\xff\xfe", b"..\\up", b" ", b"-rf", b"x" * 255, "\u202egnp.exe".encode()):
    try:
        os.close(os.open(b"/home/user/" + name, os.O_CREAT | os.O_WRONLY))
    except OSError:
        pass
"held: the names are there"
