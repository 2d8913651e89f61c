#!/bin/sh
# Runs workerd with the flags for V8 that V8_FLAGS holds. Miniflare writes the configuration to standard input.
# In the end this process becomes workerd, so that whoever started it can end it.
set -e
workerd=$(node -p 'require("workerd").default')
config=$(mktemp)
node "$(dirname "$0")/v8-flags.mjs" $V8_FLAGS > "$config"
exec < "$config"
rm "$config"
exec "$workerd" "$@"
