import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

type Texts = 'entrypoint' | 'command' | 'secrets' | 'volumes' | 'cap_drop' | 'security_opt';
export type ComposeService = Readonly<
  Partial<Record<'image' | 'build' | 'pull_policy' | 'mem_limit' | 'stop_grace_period', string>> &
    Partial<Record<Texts, readonly string[]>>
> & {
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly healthcheck?: { readonly test: readonly string[] };
};

type ComposeFile = {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};

export type ComposeDocument = { readonly name: string; readonly text: string; readonly content: ComposeFile };

export function readCompose(name: string): ComposeDocument {
  const text = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  return { name, text, content: load(text, { schema: CORE_SCHEMA.withTags(mergeTag) }) as ComposeFile };
}

const { services } = readCompose('docker-compose.yml').content;

/** A service of `docker-compose.yml`. */
export function serviceOf(name: string): ComposeService {
  return services[name] ?? assert.fail(`docker-compose.yml has no service ${name}`);
}

/** The last word of a command or check, which is a script of the shell: compose writes `$` as `$$`. */
export function scriptOf(words: readonly string[] = []): string {
  return (words.at(-1) ?? assert.fail('no script')).replaceAll('$$', '$');
}
