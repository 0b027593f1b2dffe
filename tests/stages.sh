#!/bin/sh
# Run stages one after the other, each a target of the Makefile, whatever becomes of those before; then sum up. Tests
# that needed a second look, of this run and earlier ones, are named with how often; CI shows them with its results.
# usage: stages.sh MAKE STAGE...
make=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=
record=build/failed-at-first.tsv
for stage in "$@"; do
  echo "--- $stage"
  begun=$(date +%s)
  rm -f "$folder/status"
  { $make -s "$stage" 2>&1; echo $? >"$folder/status"; } | tee "$folder/said"
  if [ "$(cat "$folder/status")" = 0 ]; then word=passed; else word=FAILED; failed="$failed $stage"; fi
  # pytest's own words: what failed or was not run, and the line that counts.
  grep -E '^(FAILED|ERROR|SKIPPED) ' "$folder/said" >>"$folder/which"
  echo "$stage: $word, $(($(date +%s) - begun)) s" >>"$folder/sum"
  grep -E '^(=+ )?[0-9]+ (passed|failed|error|skipped|deselected).* in [0-9.]+s' "$folder/said" >>"$folder/sum"
done
echo "--- all stages"
cat "$folder/which" "$folder/sum"
if [ -e $record ]; then
  { echo "failed at first, then passed alone, so far:"; cut -f 3 $record | sort | uniq -c | sort -rn; } |
    tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
