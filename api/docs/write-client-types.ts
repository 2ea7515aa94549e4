import { writeFileSync } from 'node:fs';
import { clientTypes } from './client-types.ts';

writeFileSync(new URL('../client/schemas.d.ts', import.meta.url), clientTypes());
