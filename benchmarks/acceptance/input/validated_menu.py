# stdin: abc
# stdin: 12
# stdin: 2
# stdin: y
def ask_number(prompt, low, high):
    while True:
        text = input(prompt)
        try:
            value = int(text)
        except ValueError:
            print(f"{text!r} is not a number")
            continue
        if low <= value <= high:
            return value
        print(f"choose {low} to {high}")


def confirm(prompt):
    return input(f"{prompt} [y/n] ").strip().lower().startswith("y")


choice = ask_number("Choice: ", 1, 3)
if confirm("Sure?"):
    print("you chose", ["tea", "coffee", "milk"][choice - 1])
