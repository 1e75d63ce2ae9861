# The commands of daily work. `just NAME` runs one; each also works typed by hand.

# Create .venv with all that tests, format, lint and types need.
setup:
    python3 -m venv .venv
    .venv/bin/pip install -q -e ".[test]"

# Run the tests that are neither slow nor long.
test:
    .venv/bin/pytest -q -n auto --dist loadfile

# Run every test, the slow and the long ones too; takes hours.
test-all:
    .venv/bin/pytest -q -n auto --dist loadfile -m "slow or not slow"

# Run hostile cases drawn by a seed.
fresh cases="2000" seed="0":
    .venv/bin/python -m tests.hostile.fresh --cases {{cases}} --seed {{seed}}

# Run every command once with the lowest versions that pyproject.toml allows.
lowest *tests:
    .ci/lowest {{tests}}

# Run every command once with each other Python that pyproject.toml names and the machine has.
interpreters *tests:
    .ci/interpreters {{tests}}

# Check format and lint; `.venv/bin/ruff format .` mends the format.
lint:
    .venv/bin/ruff format --check .
    .venv/bin/ruff check .

# Check types, strictly.
types:
    .venv/bin/mypy

# Build the documentation in site/ and test its links.
docs:
    .venv/bin/pip install -q -e ".[docs]"
    .venv/bin/mkdocs build --strict
    .venv/bin/pytest -q -m long tests/test_site.py

# Measure speed and memory beside other implementations; takes minutes.
bench:
    .venv/bin/mars-logic bench
