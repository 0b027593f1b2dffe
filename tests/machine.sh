#!/bin/sh
# Install what some tests need and pip cannot bring: PostgreSQL. Where that is not allowed those tests say so.
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null && exit 0
command -v apt-get >/dev/null || { echo "PostgreSQL is not here: its tests will not run." >&2; exit 0; }
if [ "$(id -u)" = 0 ]; then S=; elif sudo -n true 2>/dev/null; then S="sudo -n"; else
  echo "PostgreSQL is not here: its tests will not run. To install it: sudo apt-get install postgresql" >&2; exit 0
fi
$S apt-get -qq -o DPkg::Lock::Timeout=300 update &&
  $S env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 install --no-install-recommends postgresql ||
  echo "PostgreSQL could not be installed: its tests will not run." >&2
