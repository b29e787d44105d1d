/**
 * To be loaded before a server (`--require`): a disk that syncs nothing while the file exists that `SLOW_DISK` names.
 */
const { existsSync } = require('node:fs');
const promises = require('node:fs/promises');
const { syncBuiltinESMExports } = require('node:module');
const { setTimeout } = require('node:timers/promises');

const { open } = promises;
const { SLOW_DISK } = process.env;

promises.open = async (...args) => {
  const handle = await open(...args);
  const datasync = handle.datasync.bind(handle);
  handle.datasync = async () => {
    while (existsSync(SLOW_DISK)) await setTimeout(20);
    await datasync();
  };
  return handle;
};
syncBuiltinESMExports();
