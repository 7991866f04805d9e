from fumehood.cli import main

main()
