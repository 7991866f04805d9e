# stdin: add 5
# stdin: add 7
# stdin: nonsense
# stdin: total
# stdin: quit
total = 0
while True:
    command, *arguments = input("> ").split()
    if command == "add":
        total += int(arguments[0])
    elif command == "total":
        print(total)
    elif command == "quit":
        print("bye")
        break
    else:
        print(f"unknown command {command!r}")
