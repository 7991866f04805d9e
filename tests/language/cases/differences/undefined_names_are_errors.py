# A misspelt name is an error and never another name that looks like it.
total_amount = 5


def compute_average(values):
    return sum(values) / len(values)


# ---
total_amout
# ---
compute_averge([1, 2])
# ---
totalAmount + 1
# ---
Total_Amount
# ---
"abc".uper()
# ---
def later():
    return not_yet_defined


try:
    later()
except NameError as error:
    print(error)
not_yet_defined = "now"
later()
