# stdin: deposit 100
# stdin: withdraw 30
# stdin: withdraw 500
# stdin: balance
# stdin: 
import cmd


class Bank(cmd.Cmd):
    prompt = ""
    use_rawinput = False

    def __init__(self):
        super().__init__()
        self.balance = 0

    def do_deposit(self, amount):
        """deposit AMOUNT"""
        self.balance += int(amount)

    def do_withdraw(self, amount):
        if int(amount) > self.balance:
            print("insufficient funds", file=self.stdout)
            return
        self.balance -= int(amount)

    def do_balance(self, _):
        print("balance", self.balance, file=self.stdout)

    def emptyline(self):
        return True

    def default(self, line):
        return line == "EOF"


bank = Bank()
bank.cmdloop("welcome")
print("final", bank.balance)
bank.onecmd("help deposit")
