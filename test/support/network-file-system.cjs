// Loaded with --require: every file system seems to be NFS, which this machine has none of.
const fs = require('node:fs/promises');
const { statfs } = fs;
fs.statfs = async (path) => ({ ...(await statfs(path)), type: 0x6969 });
require('node:module').syncBuiltinESMExports();
