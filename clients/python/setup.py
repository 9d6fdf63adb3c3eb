"""Has setuptools build in a temporary folder: by itself it leaves build/ and stickslip.egg-info/ among the sources. All else is in pyproject.toml."""

from tempfile import TemporaryDirectory

from setuptools import setup

with TemporaryDirectory(prefix="stickslip-build-") as folder:
    setup(options={"build": {"build_base": folder}, "egg_info": {"egg_base": folder}})
