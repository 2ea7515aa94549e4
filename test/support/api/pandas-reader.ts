import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pythonWithPandas } from '../documents/python.ts';

/** As the guide reads a CSV; prints when its head has arrived, and how it ended. */
const PROGRAM = `
import pandas, sys, urllib.request
urlopen = urllib.request.urlopen
def announce(*args):
    response = urlopen(*args)
    print("begun", flush=True)
    return response
urllib.request.urlopen = announce
try:
    pandas.read_csv(sys.argv[1], storage_options={"Authorization": "Bearer " + sys.argv[2]})
    print("looks whole")
except Exception as error:
    print(type(error).__name__)`;

type PandasReader = {
  readonly process: ChildProcess;
  /** The name of the exception, or `looks whole`. */
  readonly ended: Promise<string>;
};

/** pandas reads the CSV at this URL. Returns when the head of the response has arrived. */
export async function readWithPandas(url: string, key: string): Promise<PandasReader> {
  const reader = spawn(pythonWithPandas(), ['-c', PROGRAM, url, key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  reader.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const closed = once(reader, 'close');
  await Promise.race([once(reader.stdout, 'data'), closed]);
  if (!printed.startsWith('begun')) throw new Error(`pandas: ${printed}`);
  return { process: reader, ended: closed.then(() => printed.slice('begun'.length).trim()) };
}
