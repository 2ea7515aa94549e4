import { readFile } from 'node:fs/promises';
import { Script } from 'node:vm';

/** Modules in one script. */
export type JoinedModules = {
  readonly text: string;
  /** The paths of the modules in it and in the script that it continues. */
  readonly paths: readonly string[];
};

const IMPORT = /^import (\{[^}]*\}|\* as \w+) from '([^']+)';$/gm;
const REEXPORT = /^export (\{[^}]*\}) from '([^']+)';$/gm;
const DECLARATION = /^export (?=(?:async )?(?:function|const|class) (\w+))/gm;
/** At the end of a package's file. */
const LIST = /\bexport ?\{([^}]*)\};?\s*$/;

/**
 * Joins a module of the page and all that it imports into one script, which exports what the module exports. A browser
 * follows imports one round trip at a time and has six connections to a host: thirty modules took five seconds on a slow
 * phone. Each module keeps its own scope, and no module imports in a circle.
 *
 * @param entry the path of the module, which is also that of the script
 * @param locate the file of a path
 * @param first the script that the new one continues: its modules are used, not repeated
 */
export async function joinModules(
  entry: string,
  locate: (path: string) => URL,
  first?: JoinedModules & { readonly path: string },
): Promise<JoinedModules> {
  const paths = [...(first?.paths ?? [])];
  const start = first ? `import { modules } from '${first.path}';` : 'export const modules = {};';
  const texts = [start];
  const add = async (path: string): Promise<readonly string[]> => {
    const module = toScope(path, await readFile(locate(path), 'utf8'));
    for (const imported of module.imports) if (!paths.includes(imported)) await add(imported);
    paths.push(path);
    texts.push(module.text);
    return module.names;
  };
  const names = await add(entry);
  if (names.length > 0) texts.push(`export const { ${names.join(', ')} } = modules['${entry}'];`);
  return { text: `${texts.join('\n')}\n`, paths };
}

/** A module as a function that returns its exports. */
function toScope(path: string, module: string) {
  const imports: string[] = [];
  const exports: string[] = [];
  const from = (specifier: string) => {
    const imported = new URL(specifier, `http://page${path}`).pathname;
    imports.push(imported);
    return `modules['${imported}']`;
  };
  const take = (names: string, specifier: string) =>
    names.startsWith('*')
      ? `const ${names.slice('* as '.length)} = ${from(specifier)};`
      : `const ${names.replaceAll(' as ', ': ')} = ${from(specifier)};`;
  const text = module
    .replace(REEXPORT, (_, names: string, specifier: string) => {
      exports.push(...namesIn(names));
      return take(names, specifier);
    })
    .replace(IMPORT, (_, names: string, specifier: string) => take(names, specifier))
    .replace(DECLARATION, (_, name: string) => {
      exports.push(name);
      return '';
    })
    .replace(LIST, (_, names: string) => {
      exports.push(...namesIn(names).map((each) => each.split(' as ').reverse().join(': ')));
      return '';
    });
  const scope = `modules['${path}'] = (() => {\n${text.trim()}\nreturn { ${exports.join(', ')} };\n})();`;
  // Throws at the first import or export in another form: a function has none.
  new Script(scope, { filename: path });
  return { imports, names: exports.map((each) => each.replace(/:.*/, '')), text: scope };
}

function namesIn(list: string): readonly string[] {
  return list
    .replace(/[{}]/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
