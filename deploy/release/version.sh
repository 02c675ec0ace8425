#!/bin/sh
# Prints the version of what is built from this checkout, by its tags: 1.2.0 at the tag v1.2.0, 1.2.0+14.g0123456789ab
# at the 14th commit after it, 0.0.0-dev+g0123456789ab where no tag is below it, 0.0.0-dev without git. Files that
# differ from the commit add a mark.
set -eu
cd "$(dirname "$0")/../.."

mark=
commit=
if [ -e .git ]; then commit=$(git rev-parse --short=12 --verify --quiet HEAD || true); fi
if [ -z "$commit" ]; then
  echo 0.0.0-dev
  exit
fi
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then mark=.dirty; fi

tagged=$(git describe --tags --match 'v[0-9]*' --abbrev=12 --long 2>/dev/null || true)
if [ -z "$tagged" ]; then
  echo "0.0.0-dev+g$commit$mark"
  exit
fi
# v1.2.0-14-g0123456789ab
after=${tagged#v}
after=${after%-g*}
version=${after%-*}
count=${after##*-}
if [ "$count" = 0 ] && [ -z "$mark" ]; then
  echo "$version"
else
  echo "$version+$count.g$commit$mark"
fi
