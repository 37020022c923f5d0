#!/usr/bin/env bash
# Installs what the browser and server tests need where that is ours to do, else says how and goes on:
# the tests that lack something are skipped by name.
set -euo pipefail

missing=()
command -v chromium > /dev/null || command -v google-chrome > /dev/null || missing+=(chromium)
command -v java > /dev/null || missing+=(default-jdk-headless)
command -v mvn > /dev/null || missing+=(maven)
if ((${#missing[@]} == 0)); then exit 0; fi

if ((EUID == 0)) && command -v apt-get > /dev/null; then
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } > /dev/null ||
    echo "could not install: ${missing[*]}" >&2
else
  echo "some tests will be skipped; to run them: sudo apt-get install ${missing[*]}" >&2
fi
