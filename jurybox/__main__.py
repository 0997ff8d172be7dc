"""`python -m jurybox` is the command `jurybox`."""

from jurybox.launcher import main

main()
