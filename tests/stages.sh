#!/bin/sh
# Run stages one after the other, each a target of the Makefile, whatever becomes of those before; then sum up.
# usage: stages.sh MAKE STAGE...
make=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=
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
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
