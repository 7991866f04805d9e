# Raise GeneratorExit through the host.
# mechanism: an exception that is neither Exception nor expected
# stopped by: run
# reason: whatever code raises is an error of the code
# control: none (whether it passes through the host is what is tested)

raise GeneratorExit
