import { statSync } from 'node:fs';
import { shown } from './option.ts';
import { readScope, SCOPE_OPTIONS, type Scope } from './scope.ts';

/** Loads local files; only what `scope` holds of them, which is everything unless the operator says otherwise. */
export type ImportCommand = { readonly kind: 'files'; readonly path: string; readonly scope: Scope };

const TAKEN: readonly string[] = ['source', 'path', ...SCOPE_OPTIONS];

export function readImportArgs(values: ReadonlyMap<string, string>, mistakes: string[]): ImportCommand {
  const path = values.get('path') ?? '';
  if (!isFolder(path)) mistakes.push(`--path is ${shown(path)}: write the folder that holds the files`);
  const others = [...values.keys()].filter((option) => !TAKEN.includes(option));
  if (others.length > 0)
    mistakes.push(`--source files takes no such options: leave out --${others.join(', --')}`);
  return { kind: 'files', path, scope: readScope(values, mistakes) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
