#!/bin/sh
# Starts the server, or what is named, with the settings that keep its memory small. npm start, the demo, the image,
# compose and systemd all start it by this file. Decision 45 says what each setting saves.
cd "${0%/*}/../.." || exit
export NODE_ENV="${NODE_ENV:-production}"
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-32768}"
export PATH="$PWD/node_modules/.bin:$PATH"
[ $# -gt 0 ] || set -- dist/server.js
# What was not built, or not to the end, has no such file.
[ -f "$1" ] || { echo "There is no $PWD/$1: run npm run build in that folder first." >&2; exit 1; }
exec node --max-semi-space-size=8 --heap-growing-percent=30 "$@"
