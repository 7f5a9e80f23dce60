# An environment with the optimised package and those that rules over tables are tested with. Sourced after tests/lib.sh;
# ends the script if there is no Java or no Python for them.

: "${PYTHON:=python3}" "${ROWS:=1000000}"
why="a policy over a data set in Spark and DuckDB"
have java -version || exit 0
have $PYTHON -c 'import sys; sys.exit(sys.version_info < (3, 10))' || exit 0
case $target in /*) ;; *) target=$(pwd)/$target ;; esac
out=$target/table-tests
venv=$out/venv
mkdir -p "$out"
if ! cmp -s bindings/python/tests/requirements-tables.txt "$venv/installed"; then
    rm -rf "$venv"
    $PYTHON -m venv "$venv"
    have "$venv/bin/pip" install --quiet --retries 1 --timeout 30 --disable-pip-version-check \
        -r bindings/python/tests/requirements-tables.txt || exit 0
    cp bindings/python/tests/requirements-tables.txt "$venv/installed"
fi
rm -rf "$out/wheel"
CARGO_TARGET_DIR=$target $PYTHON -m pip wheel --quiet --no-deps --wheel-dir "$out/wheel" ./bindings/python
"$venv/bin/pip" install --quiet --no-index --force-reinstall --disable-pip-version-check "$out"/wheel/libhcl-*.whl
export PYSPARK_PYTHON="$venv/bin/python"
