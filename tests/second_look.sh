#!/bin/sh
# Run pytest. Tests that failed, at most MAX_AGAIN of them, are run again, alone, and must pass twice: where a machine
# loses its cores for a while time limits run out though nothing is wrong. What failed at first stays in the output.
# usage: second_look.sh PYTHON ARGUMENTS...
MAX_AGAIN=4
TESTS_FAILED=1 # pytest's exit status
CACHE=.pytest_cache/v/cache/lastfailed
python=$1
shift
"$python" -m pytest "$@" --cache-clear
status=$?
[ $status = $TESTS_FAILED ] || exit $status
failed=$(cat $CACHE)
[ "$(echo "$failed" | grep -c '": true')" -le $MAX_AGAIN ] || exit 1
for look in 1 2; do
  echo "--- what failed, alone: $look of 2"
  echo "$failed" >$CACHE
  "$python" -m pytest "$@" -n 0 --last-failed --last-failed-no-failures=none || exit 1
done
echo "$failed" | sed -n 's/^ *"\(.*\)": true.*/FAILED AT FIRST, then passed twice alone: \1/p'
