import { DrainingServer, drain } from '../../../api/http/draining-server.ts';
import { listenOnFreePort } from '../listen.ts';

/** Serves small answers on a new port for a moment and stops, as often as the first argument says; prints each port. */
for (let stops = Number(process.argv[2]); stops > 0; stops -= 1) {
  let isClosing = false;
  const server = new DrainingServer((_, response) => {
    if (isClosing) response.setHeader('Connection', 'close');
    setTimeout(() => response.end('answer'), Math.random() * 5);
  }, {});
  process.stdout.write(`${await listenOnFreePort(server)}\n`);
  await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 100));
  isClosing = true;
  await drain(server, 5);
}
