import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { authorizationOf, type Login } from '../../clickhouse/embedded/users.ts';

export type Ports = { readonly http: number; readonly tcp: number };

export const DATABASE = 'history';

/** The passwords of `clickhouse/server/users.d/history.xml`. */
export const LOGINS = {
  api: { username: 'history_api', password: 'api-password' },
  loader: { username: 'history_loader', password: 'loader-password' },
  admin: { username: 'history_admin', password: 'admin-password' },
} as const;

const PROGRAM = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const USERS = fileURLToPath(new URL('../../clickhouse/server/users.d', import.meta.url));
const READY_MS = 30_000;

/** One server of a cluster. Its users and their limits are those of `clickhouse/server/users.d`. */
export class ClusterServer {
  readonly #folder: string;
  readonly #ports: Ports;
  readonly #environment: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  private constructor(folder: string, ports: Ports, environment: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#ports = ports;
    this.#environment = environment;
  }

  /**
   * @param sections of the configuration, in addition to the users
   * @param environment for the values that the files take from there
   */
  static async create(
    folder: string,
    ports: Ports,
    sections: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ClusterServer> {
    await mkdir(folder, { recursive: true });
    await symlink(USERS, `${folder}/users.d`);
    await writeFile(`${folder}/users.xml`, BASE_USERS);
    await writeFile(`${folder}/config.xml`, `<clickhouse>${STRICT}${sections}</clickhouse>`);
    const server = new ClusterServer(folder, ports, environment);
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#ports.http}`;
  }

  /**
   * Resolves when both listeners accept connections and no replicated table is read-only: until then the other server finds no
   * replica here that is up to date (code 369), and the api answers 503. Does nothing where the server runs.
   */
  async start(): Promise<void> {
    if (this.#process?.signalCode === null && this.#process.exitCode === null) return;
    const { http, tcp } = this.#ports;
    const child = fork(PROGRAM, [this.#folder, `${http}`, `${tcp}`], {
      execArgv: ['--import', 'tsx'],
      env: { PATH: process.env.PATH, CLICKHOUSE_DATABASE: DATABASE, ...PASSWORDS, ...this.#environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#process = child;
    const deadline = performance.now() + READY_MS;
    while (!((await accepts(tcp)) && (await this.#hasActiveReplicas()))) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error('A server of the cluster did not start');
      await sleep(20);
    }
  }

  async #hasActiveReplicas(): Promise<boolean> {
    const response = await fetch(`${this.url}/replicas_status`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok ?? false;
  }

  /** As when the machine loses power. */
  async kill(): Promise<void> {
    if (this.#process === undefined || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }

  /** Runs a statement as one of the users; throws what the server says. */
  async ask(
    login: Login,
    statement: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const query = new URLSearchParams({ database: DATABASE, wait_end_of_query: '1', ...settings });
    const headers = { authorization: authorizationOf(login) };
    const response = await fetch(`${this.url}/?${query}`, { method: 'POST', headers, body: statement });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text.trim();
  }
}

const PASSWORDS = Object.fromEntries(
  Object.values(LOGINS).map(({ username, password }) => [`${username.toUpperCase()}_PASSWORD`, password]),
);

/** The strictest configuration of a server: every right has to be granted. Small parts, to need little disk. */
const STRICT = `
  <users_config>users.xml</users_config>
  <access_control_improvements>
    <on_cluster_queries_require_cluster_grant>true</on_cluster_queries_require_cluster_grant>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
    <settings_constraints_replace_previous>true</settings_constraints_replace_previous>
    <table_engines_require_grant>true</table_engines_require_grant>
    <users_without_row_policies_can_read_rows>false</users_without_row_policies_can_read_rows>
  </access_control_improvements>
  <merge_tree>
    <default_compression_codec>ZSTD(5)</default_compression_codec>
    <fsync_after_insert>1</fsync_after_insert>
    <fsync_part_directory>1</fsync_part_directory>
    <min_rows_to_fsync_after_merge>1</min_rows_to_fsync_after_merge>
    <min_compressed_bytes_to_fsync_after_merge>1</min_compressed_bytes_to_fsync_after_merge>
    <min_compressed_bytes_to_fsync_after_fetch>1</min_compressed_bytes_to_fsync_after_fetch>
    <old_parts_lifetime>480</old_parts_lifetime>
  </merge_tree>`;

/** The program that holds the listeners open is the user \`default\`. */
const BASE_USERS = `<clickhouse>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <users><default>
    <no_password/>
    <networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile>
    <quota>default</quota>
    <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
  </default></users>
</clickhouse>`;

/** Whether something listens on a port of the loopback address. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
