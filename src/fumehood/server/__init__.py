"""`fumehood serve`: many jailed sandboxes behind one port.

    settings · config_file · keys       what the operator says; who may ask for what
    bounded_http · gate · access_log    what every request passes: who is it, how much, how often,
                                        how slowly
    routing · table · calls · shapes    the native API as tables: operations, and the bodies they
                                        take and give
    operations/                         what each operation does
    live · streaming · websocket        its live half: events as they happen (events_stream ·
                                        live_shapes)
    callbacks                           tools that the client answers for
    metrics · openapi · docs_page       what it counts, and how it describes itself
    e2b/                                the same sandboxes, as E2B's own SDK wants them
    sandboxes · sandbox · lifetimes     who has which sandbox, and until when
    threads                             executors block, the event loop never does
    refusals                            every "no", with its status and one line
    server · listening · leftovers      all of it put together; a beginning and an end

It needs the extra `server`; nothing else in fumehood imports it but the command line.
"""
