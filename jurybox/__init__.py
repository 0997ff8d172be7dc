"""Jurybox as an installed package: `jurybox` is the one name that it takes in an environment.

In a wheel the packages of the program, its templates, static files, translations and examples lie
in this folder; `jurybox.packages` puts it first on the path of its own process. In a checkout they
lie beside it. Either way ``import jurybox.agreement`` reads the statistics alone.
"""

from pathlib import Path

__version__ = "0.1.0"

_CHECKOUT = Path(__file__).resolve().parent.parent
if (_CHECKOUT / "manage.py").is_file():
    __path__.append(str(_CHECKOUT))
