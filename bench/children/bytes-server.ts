/**
 * Serves the bytes of a file from memory with uWebSockets.js: `bytes-server FILE`. Prints its port.
 */

import { App, us_socket_local_port } from 'uWebSockets.js';
import { readFileSync } from 'node:fs';

const bytes = readFileSync(process.argv[2] ?? '');

App()
  .get('/*', (response) => {
    response.onAborted(() => {});
    const [, done] = response.tryEnd(bytes, bytes.length);
    if (done) return;
    response.onWritable((offset) => response.tryEnd(bytes.subarray(offset), bytes.length)[0]);
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (!socket) throw new Error('no port');
    console.log(us_socket_local_port(socket));
  });
