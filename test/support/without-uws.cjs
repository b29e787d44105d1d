// Preloaded by a server under test: no binary of uWebSockets.js can be loaded.
const { dlopen } = process;
process.dlopen = (module, file, ...more) => {
  if (/uws_[^/\\]*\.node$/.test(file)) throw new Error('It was built for another system.');
  return dlopen.call(process, module, file, ...more);
};
