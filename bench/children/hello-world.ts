/** The reference for every HTTP figure: a minimal uWebSockets.js server. Prints its port. */
import { App, us_socket_local_port } from 'uWebSockets.js';

App()
  .any('/*', (response) => {
    response.end('Hello, world!');
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (!socket) throw new Error('no port');
    console.log(us_socket_local_port(socket));
  });
