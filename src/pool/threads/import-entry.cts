/**
 * The file that a Piscina loads in each thread. It imports the entry file, whose URL is the first
 * argument of the thread.
 *
 * Piscina itself would load an ES module by `require`. If a thread is terminated while it does that,
 * Node.js 20 aborts the whole process ("IsGraphAsync must be used on an instantiated module").
 */
module.exports = import(process.argv[2]!).then((entry: { readonly default: unknown }) => entry.default);
