# aim: raise GeneratorExit through the host
# mechanism: an exception that is neither Exception nor expected
# language: run
# reason: whatever code raises is an error of the code
# jail: process
# plain: none (whether it passes through the host is what is tested)

raise GeneratorExit
