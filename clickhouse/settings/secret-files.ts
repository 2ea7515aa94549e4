import { readFileSync } from 'node:fs';
import type { InvalidValue } from '../validation/schema-validator.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables with each secret that a file holds. `NAME_FILE` is the path of a file with the value of `NAME`, as
 * Docker and Kubernetes pass secrets: `docker inspect` prints the environment of a container.
 */
export function readSecretFiles(
  secrets: readonly string[],
  environment: Variables,
): { readonly environment: Variables; readonly errors: readonly InvalidValue[] } {
  const values: Record<string, string> = {};
  const errors: InvalidValue[] = [];
  for (const secret of secrets) {
    const name = `${secret}_FILE`;
    const path = environment[name];
    // A variable that is set to nothing counts as not set.
    if (!path) continue;
    const value = environment[secret] ? undefined : readSecret(path);
    if (value) values[secret] = value;
    else if (environment[secret]) errors.push({ name, detail: `cannot be set together with ${secret}` });
    else errors.push({ name, detail: 'must be the path of a readable file that is not empty' });
  }
  return { environment: { ...environment, ...values }, errors };
}

/** Editors and `echo` end a file with a line break, which is not part of the secret. */
function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
