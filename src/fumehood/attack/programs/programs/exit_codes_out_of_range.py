# aim: give the host an exit code that there is none of
# mechanism: exit statuses, real-time signals and stops
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: wire
# plain: none (what is attacked is the host's end)
# expect: held
# host: command bash one, command bash two, command bash three, command bash four, command bash five, command echo answers
# needs: mount namespace
def leave():
    for name, line in (("one", "kill -64 $$"), ("two", "exit 256"), ("three", "exit -1"), ("four", "kill -STOP $$"), ("five", "exec -a '' sh -c 'kill -SEGV $$'")):
        with open(name, "w") as file:
            file.write(line)

judge(leave)
