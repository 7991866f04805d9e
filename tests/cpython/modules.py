"""The modules of CPython's `test` package that are compared. None needs the network."""

MODULES = tuple(
    """
    test_abc test_argparse test_array test_ast test_asyncgen test_asyncio.test_base_events
    test_asyncio.test_context test_asyncio.test_events test_asyncio.test_futures
    test_asyncio.test_futures2 test_asyncio.test_locks test_asyncio.test_pep492
    test_asyncio.test_protocols test_asyncio.test_queues test_asyncio.test_runners
    test_asyncio.test_selector_events test_asyncio.test_streams test_asyncio.test_subprocess
    test_asyncio.test_taskgroups test_asyncio.test_tasks test_asyncio.test_threads
    test_asyncio.test_timeouts test_asyncio.test_transports test_asyncio.test_unix_events
    test_asyncio.test_waitfor test_atexit test_audit test_base64 test_bdb test_binascii
    test_bool test_buffer test_bufio test_builtin test_bytes test_bz2 test_c_locale_coercion
    test_calendar test_cmath test_cmd test_cmd_line test_cmd_line_script test_code test_codecs
    test_collections test_compileall test_complex test_concurrent_futures test_configparser
    test_context test_contextlib test_copy test_coroutines test_cprofile test_csv test_ctypes
    test_dataclasses test_datetime test_dbm test_decimal test_defaultdict test_deque test_descr
    test_dict test_difflib test_dis test_doctest test_dynamic test_email test_ensurepip
    test_enum test_epoll test_exceptions test_faulthandler test_fcntl test_file test_file_eintr
    test_filecmp test_fileinput test_fileio test_float test_fork1 test_fractions test_fstring
    test_functools test_gc test_generators test_genericpath test_getpass test_gettext test_glob
    test_grp test_gzip test_hash test_hashlib test_heapq test_hmac test_html test_import
    test_importlib test_inspect test_int test_io test_ioctl test_ipaddress test_itertools
    test_json test_largefile test_linecache test_list test_locale test_logging test_long
    test_lzma test_mailbox test_marshal test_math test_memoryio test_memoryview test_mimetypes
    test_minidom test_mmap test_modulefinder test_multiprocessing_fork
    test_multiprocessing_forkserver test_multiprocessing_main_handling
    test_multiprocessing_spawn test_openpty test_operator test_optparse test_ordered_dict
    test_os test_pathlib test_pdb test_pickle test_pickletools test_pipes test_pkgutil
    test_platform test_plistlib test_poll test_popen test_posix test_posixpath test_pprint
    test_profile test_pty test_pulldom test_pwd test_py_compile test_pyclbr test_pydoc
    test_queue test_quopri test_random test_range test_re test_readline test_repl test_resource
    test_runpy test_sax test_sched test_script_helper test_secrets test_select test_selectors
    test_set test_shelve test_shlex test_shutil test_signal test_site test_sort
    test_source_encoding test_sqlite3 test_stat test_statistics test_string test_strptime
    test_struct test_subprocess test_sys test_sys_settrace test_sysconfig test_tabnanny
    test_tarfile test_tempfile test_termios test_textwrap test_thread test_threadedtempfile
    test_threading test_threading_local test_threadsignals test_time test_timeit test_tokenize
    test_tomllib test_trace test_traceback test_tracemalloc test_tty test_types test_typing
    test_unicode test_unicode_file test_unittest test_urllib test_urlparse test_utf8_mode
    test_uuid test_venv test_wait3 test_wait4 test_warnings test_weakref test_webbrowser
    test_xml_etree test_xml_etree_c test_zipapp test_zipfile test_zipimport test_zlib
    test_zoneinfo
    """.split()
)
