"""The version of this package, as pyproject.toml has it, and that of the protocol."""

__version__ = "0.1.0"
PROTOCOL_VERSION = 1
