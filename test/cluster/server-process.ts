import { findLibrary, runClickHouse } from '../../clickhouse/embedded/library.ts';

/**
 * A ClickHouse server out of the npm package, with the listeners for HTTP and for other servers:
 * `server-process.ts FOLDER HTTP_PORT TCP_PORT`. It ends with the process that forked it.
 */
const [folder = '', http = '', tcp = ''] = process.argv.slice(2);

process.on('disconnect', end);
runClickHouse(findLibrary(), [
  'clickhouse',
  `--path=${folder}/data`,
  `--config-file=${folder}/config.xml`,
  '--implicit_select=0',
  '--listen_host=127.0.0.1',
  `--http_port=${http}`,
  `--tcp_port=${tcp}`,
  '--query=SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP;' +
    'SELECT sleepEachRow(1) FROM numbers(1000000000) SETTINGS max_block_size = 1 FORMAT Null',
]).then(end, end);

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
