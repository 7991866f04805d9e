"""`fumehood serve`: many jailed sandboxes behind one port.

    settings · keys         what the operator says; who may ask for what
    gate · bounded_http     what every request passes: who is it, how much, how often, how slowly
    table · shapes          the native API as tables: operations, and the bodies they take and give
    handlers/               what each operation does
    sandboxes · lifetimes   who has which sandbox, and until when
    threads                 executors block, the event loop never does
    refusals                every "no", with its status and one line

It needs the extra `server`; nothing else in fumehood imports it but the command line.
"""
