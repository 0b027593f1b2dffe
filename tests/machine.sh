#!/bin/sh
# Install what some tests need and pip cannot bring: PostgreSQL, NATS, Chromium, Chinese letters.
# Where that is not allowed it says so, and those tests are reported as not run.
want=
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || want="postgresql"
command -v nats-server >/dev/null || want="$want nats-server"
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || want="$want chromium-headless-shell"
fc-list :lang=zh 2>/dev/null | grep -q . || want="$want fontconfig fonts-noto-cjk"
[ -n "$want" ] || exit 0
[ "$MACHINE" != 0 ] || { echo "MACHINE=0: nothing is installed, so the tests that need this will not run: $want" >&2; exit 0; }
command -v apt-get >/dev/null || { echo "Not on this machine, so its tests will not run: $want" >&2; exit 0; }
if [ "$(id -u)" = 0 ]; then S=; elif sudo -n true 2>/dev/null; then S="sudo -n"; else
  echo "Some tests will not run. To install what they need: sudo apt-get install $want" >&2; exit 0
fi
echo "Installing on this machine, by apt-get, for the tests: $want (MACHINE=0 leaves it alone)"
# shellcheck disable=SC2086  # a list of packages
$S apt-get -qq -o DPkg::Lock::Timeout=300 update &&
  $S env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 install --no-install-recommends $want >/dev/null ||
  echo "This could not be installed, so its tests will not run: $want" >&2
