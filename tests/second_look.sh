#!/bin/sh
# Run pytest. Tests that failed, at most MAX_AGAIN of them, are run again, alone, and must pass twice: where a machine
# loses its cores for a while time limits run out though nothing is wrong. What failed at first stays in the output,
# and in RECORD: when, at which commit, which test, and how.
# usage: second_look.sh PYTHON ARGUMENTS...
MAX_AGAIN=4
TESTS_FAILED=1 # pytest's exit status
CACHE=.pytest_cache/v/cache/lastfailed
RECORD=build/failed-at-first.tsv
python=$1
shift
said=$(mktemp)
trap 'rm -f "$said"' EXIT
{ "$python" -m pytest "$@" --cache-clear; echo $? >"$said.status"; } | tee "$said"
status=$(cat "$said.status")
rm -f "$said.status"
[ "$status" = $TESTS_FAILED ] || exit "$status"
failed=$(cat $CACHE)
[ "$(echo "$failed" | grep -c '": true')" -le $MAX_AGAIN ] || exit 1
for look in 1 2; do
  echo "--- what failed, alone: $look of 2"
  echo "$failed" >$CACHE
  "$python" -m pytest "$@" -n 0 --last-failed --last-failed-no-failures=none || exit 1
done
mkdir -p "$(dirname $RECORD)"
echo "$failed" | sed -n 's/^ *"\(.*\)": true.*/\1/p' | while read -r test; do
  echo "FAILED AT FIRST, then passed twice alone: $test"
  how=$(grep -F "$test - " "$said" | head -n 1)
  printf '%s\t%s\t%s\t%s\n' "$(date -u +%FT%TZ)" "$(git rev-parse --short HEAD 2>/dev/null)" "$test" "${how#* - }" >>$RECORD
done
