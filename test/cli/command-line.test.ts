import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { environmentName, type Setting, SettingError, settings, shownDefault } from '../../src/config.ts';
import { projectFile } from '../support/project.ts';
import { suiteScope } from '../support/scope.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = await temporaryDirectory(suiteScope());

function configOf(args: readonly string[], environment: Record<string, string> = {}) {
  const request = readCommandLine(args, environment);
  assert.equal(request.kind, 'serve');
  return request.kind === 'serve' ? request.config : assert.fail();
}

function refusalOf(args: readonly string[], environment: Record<string, string> = {}) {
  const request = readCommandLine(args, environment);
  assert.equal(request.kind, 'exit');
  return request.kind === 'exit' ? request : assert.fail();
}

test('every setting has a default', () => {
  const config: Record<string, unknown> = { ...configOf([]) };
  for (const [name, setting] of Object.entries(settings)) assert.deepEqual(config[name], setting.default);
});

test('a flag overrides the environment variable, which overrides the default', () => {
  assert.equal(configOf([], { PATHPOOL_PORT: '81' }).port, 81);
  assert.equal(configOf(['--port', '82'], { PATHPOOL_PORT: '81' }).port, 82);
});

test('the word serve is optional', () => {
  assert.deepEqual(configOf(['serve', '--port', '82']), configOf(['--port', '82']));
  assert.match(refusalOf(['serve', '--help']).text, /--port/);
  assert.match(refusalOf(['serve', 'serve']).text, /too many arguments/);
});

test('help shows what --help shows, of the server or of a command', () => {
  assert.deepEqual(refusalOf(['help']), refusalOf(['--help']));
  assert.deepEqual(refusalOf(['help', 'serve']), refusalOf(['--help']));
  for (const name of ['config', 'load', 'eval']) {
    const { status, text } = refusalOf(['help', name]);
    assert.deepEqual([status, text], [0, refusalOf([name, '--help']).text]);
    assert.match(text, /--config/);
  }
});

test('--version shows the version of the package', () => {
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'));
  assert.deepEqual(refusalOf(['--version']), { kind: 'exit', status: 0, text: `${version}\n` });
});

test('--changes-retention is a size, or a size and an age', () => {
  const { read, show } = settings.changesRetention;
  const day = 86_400_000;
  for (const [text, bytes, ageMs] of [
    ['1GiB,7d', 2 ** 30, 7 * day],
    ['64MiB,12h', 2 ** 26, day / 2],
    ['10MiB,90s', 10 * 2 ** 20, 90_000],
    ['1GiB', 2 ** 30, Number.POSITIVE_INFINITY],
    ['0', 0, Number.POSITIVE_INFINITY],
  ] as const) {
    assert.deepEqual(read(text), { bytes, ageMs });
    assert.equal(show(read(text)), text);
  }
  for (const text of ['', ',7d', '1GiB,', '1GiB,0d', '1GiB,7', '1GiB,7d,8d', '-1', '1PiB']) {
    assert.throws(() => read(text), SettingError, text);
  }
});

test('--load may be given several times, with a graph or without', () => {
  const { load } = configOf(['--load', 'a.nq', '--load', 'dir/b=c.ttl=urn:x:g']);
  assert.deepEqual(load, [
    { file: 'a.nq', graph: undefined },
    { file: 'dir/b=c.ttl', graph: 'urn:x:g' },
  ]);
});

test('--prefix may be given several times, and in the environment separated by commas', () => {
  const both = [
    ['ex', 'http://example.org/terms#'],
    ['foaf', 'urn:x:foaf=1/'],
  ];
  const args = both.flatMap(([prefix, namespace]) => ['--prefix', `${prefix}=${namespace}`]);
  assert.deepEqual(configOf(args).prefix, both);
  const variable = both.map((pair) => pair.join('=')).join(',');
  assert.deepEqual(configOf([], { PATHPOOL_PREFIX: variable }).prefix, both);
});

test('--context may be given several times; the URL may contain an equals sign', () => {
  const args = ['--context', 'https://c.example/?v=1=dir/c.json', '--context', 'urn:x:c=d.jsonld'];
  assert.deepEqual(configOf(args).context, [
    { iri: 'https://c.example/?v=1', file: 'dir/c.json' },
    { iri: 'urn:x:c', file: 'd.jsonld' },
  ]);
});

test('origins, hosts and networks are normalised for comparison', () => {
  const origins = [
    '*',
    'HTTPS://App.Example:443/',
    'http://localhost:3000',
    'chrome-extension://abcdef',
    'app://x',
  ];
  const { allowOrigin } = configOf(origins.flatMap((origin) => ['--allow-origin', origin]));
  assert.deepEqual(allowOrigin, ['*', 'https://app.example', ...origins.slice(2)]);
  const hosts = ['Data.LAN.', 'pathpool:8080', '192.168.1.5', '::1', '[2001:DB8:0::1]:80'];
  const { allowHost } = configOf(hosts.flatMap((host) => ['--allow-host', host]));
  assert.deepEqual(allowHost, ['data.lan', 'pathpool', '192.168.1.5', '[::1]', '[2001:db8::1]']);
  const networks = '10.0.0.0/8,192.0.2.1,fd00::/8,::1';
  assert.deepEqual(configOf([], { PATHPOOL_TRUSTED_PROXY: networks }).trustedProxy, networks.split(','));
});

test('sizes accept units', () => {
  assert.equal(configOf(['--max-rdf-body', '1.5MiB']).maxRdfBody, 1_572_864);
  assert.equal(configOf(['--max-rdf-body', '65536']).maxRdfBody, 65_536);
});

test('a removed setting of the previous version is ignored with a warning', () => {
  const expected = configOf([]);
  for (const [args, environment, name] of [
    [['--record-max', '1GiB'], {}, '--record-max'],
    [[], { PATHPOOL_RECORD_MAX: '1GiB' }, 'PATHPOOL_RECORD_MAX'],
  ] as const) {
    const request = readCommandLine(args, environment);
    assert.ok(request.kind === 'serve');
    assert.deepEqual(request.config, expected);
    assert.equal(request.warnings.length, 1);
    assert.match(request.warnings[0] ?? '', new RegExp(`^${name} is ignored.*--data-max`));
  }
  assert.doesNotMatch(refusalOf(['--help']).text, /record-max/);
});

test('options before the name of a command that would ignore them are refused', () => {
  for (const command of [['check', 'd'], ['eval', '--program', 'p', '--data', 'd'], ['hash-password']]) {
    for (const option of [['--config', 'c.yaml'], ['--open']]) {
      const { status, text } = refusalOf([...option, ...command]);
      assert.equal(status, 2);
      assert.match(text, new RegExp(`options of the command '${command[0]}' must follow its name`));
    }
  }
});

describe('a config file', () => {
  const file = join(directory, 'pathpool.json');
  const data = join(directory, 'd');
  const context = [{ iri: 'urn:c', file: join(directory, 'c.json') }];
  writeFileSync(file, '{ "port": 81, "threads": 3, "data": "d", "context": ["urn:c=c.json"] }');

  it('is overridden by the environment, and that by flags', () => {
    const config = configOf(['--config', file, '--threads', '5'], { PATHPOOL_PORT: '82' });
    assert.deepEqual([config.port, config.threads, config.data], [82, 5, data]);
    assert.equal(configOf([], { PATHPOOL_CONFIG: file }).port, 81);
  });

  it('has the limits of eval', () => {
    const request = readCommandLine(['eval', '--program', 'p', '--data', 'x', '--config', file], {});
    assert.ok(request.kind === 'eval');
    assert.deepEqual([request.config.threads, request.config.context], [3, context]);
  });

  for (const [args, expected] of [
    [['inspect'], { kind: 'inspect', directory: data, record: undefined }],
    [['check'], { kind: 'check', directory: data }],
    [['export'], { kind: 'export', directory: data, graph: undefined, out: undefined }],
    [['backup', 't'], { kind: 'backup', directory: data, target: 't' }],
    [['load', 'a', 'b'], { kind: 'load', directory: data, files: ['a', 'b'], graph: undefined, context }],
  ] as const) {
    it(`has the directory of ${args[0]}, which is then no argument`, () => {
      assert.deepEqual(readCommandLine([...args, '--config', file], {}), expected);
    });
  }

  it('has no data directory if data are kept in memory', () => {
    const args = ['check', '--config', file];
    assert.match(refusalOf(args, { PATHPOOL_MEMORY: 'true' }).text, /memory/);
    assert.match(refusalOf(['check', 'x', '--config', file]).text, /too many arguments: 'x'/);
  });
});

for (const [args, words] of [
  [['--port', 'x'], /--port.*whole number from 0 to 65535/],
  [['--threads', '0'], /--threads.*from 1 to 256/],
  [['--base', 'ftp://x'], /--base.*http or https/],
  [['--max-program', 'lots'], /--max-program.*256KiB/],
  [['--bogus'], /unknown option '--bogus'/],
  [['--nope'], /unknown option '--nope'/],
  [['--allow-origin', ''], /--allow-origin.*empty/],
  [['--allow-origin', 'app.example'], /--allow-origin.*https:\/\/app\.example/],
  [['--allow-origin', 'null'], /--allow-origin.*https:\/\/app\.example/],
  [['--allow-origin', 'https://app.example/path'], /--allow-origin.*https:\/\/app\.example/],
  [['--allow-origin', 'https://a@app.example'], /--allow-origin.*https:\/\/app\.example/],
  [['--allow-host', ''], /--allow-host.*empty/],
  [['--allow-host', 'http://data.lan'], /--allow-host.*host name/],
  [['--allow-host', '*'], /--allow-host.*host name/],
  [['--trusted-proxy', 'proxy.lan'], /--trusted-proxy.*10\.0\.0\.0\/8/],
  [['--trusted-proxy', '10.0.0.0/33'], /--trusted-proxy.*10\.0\.0\.0\/8/],
  [['--trusted-proxy', '10.0.0.0/8/8'], /--trusted-proxy.*10\.0\.0\.0\/8/],
  [['--trusted-proxy', '10.0.0.0/'], /--trusted-proxy.*10\.0\.0\.0\/8/],
  [['--trusted-proxy', '::/129'], /--trusted-proxy.*10\.0\.0\.0\/8/],
  [['--trusted-proxy', 'fe80::1%eth0'], /--trusted-proxy.*10\.0\.0\.0\/8/],
  [['--prefix', 'ex'], /--prefix.*PREFIX=NAMESPACE/],
  [['--prefix', 'ex=terms'], /--prefix.*PREFIX=NAMESPACE/],
  [['--prefix', '1x=urn:x:'], /--prefix.*PREFIX=NAMESPACE/],
  [['--context', 'https://c.example/'], /--context.*URL=FILE/],
  [['--context', 'https://c.example/='], /--context.*URL=FILE/],
  [['--context', 'c.example=c.json'], /--context.*URL=FILE/],
  [['load', 'data', 'a.jsonld', '--context', 'c.json'], /--context.*URL=FILE/],
  [['stray'], /unknown command 'stray'/],
  [['help', 'confg'], /unknown command 'confg'; did you mean "config"\?/],
  [['hlep'], /unknown command 'hlep'; did you mean "help"\?/],
  [['version'], /unknown command 'version'; did you mean "--version"\?/],
  [['inspct', 'data'], /unknown command 'inspct'; did you mean "inspect"\?/],
  [['confg'], /unknown command 'confg'; did you mean "config"\?/],
  [['--prot', '81'], /unknown option '--prot' \(Did you mean --port\?\)/],
  [['serve', '--prot', '81'], /'--prot' \(Did you mean --port\?\)/],
  [['config', '--jsn'], /'--jsn' \(Did you mean --json\?\)/],
  [['eval', '--progam', 'p', '--data', 'd'], /'--progam' \(Did you mean --program\?\)/],
  [['inspect', 'd', '--recrod', '1'], /'--recrod' \(Did you mean --record\?\)/],
  [['check', 'd', '--confg', 'c.json'], /'--confg' \(Did you mean --config\?\)/],
  [['export', 'd', '--grph', 'urn:g'], /'--grph' \(Did you mean --graph\?\)/],
  [['backup', 'd', 't', '--cofig', 'c.json'], /'--cofig' \(Did you mean --config\?\)/],
  [['load', 'd', 'a.nq', '--contxt', 'c'], /'--contxt' \(Did you mean --context\?\)/],
  [['eval', '--data', 'd'], /expected either --program or --name/],
  [['config', 'extra'], /too many arguments/],
  [['--config', 'nowhere.json'], /nowhere\.json can't be read/],
  [['check'], /missing required argument 'DIRECTORY'/],
  [['backup', 'd'], /missing required argument 'TARGET'/],
  [['load', 'd'], /missing required argument 'FILE'/],
  [['backup', 'd', 't', 'u'], /too many arguments/],
  [['check', 'a', 'b'], /too many arguments/],
  [['--port', '81', 'stray'], /too many arguments/],
] as const) {
  test(`${args.join(' ')} is rejected with one line and status 2`, () => {
    const { status, text } = refusalOf(args);
    assert.equal(status, 2);
    assert.match(text, words);
    assert.equal(text.trimEnd().split('\n').length, 1);
  });
}

test('a bad environment value is rejected with its name', () => {
  const { status, text } = refusalOf([], { PATHPOOL_PORT: '99999' });
  assert.equal(status, 2);
  assert.match(text, /PATHPOOL_PORT=99999/);
});

test('an unknown environment variable is rejected like an unknown flag, with the closest name', () => {
  const { status, text } = refusalOf([], { PATHPOOL_PROT: '8081' });
  assert.equal(status, 2);
  assert.match(text, /unknown environment variable 'PATHPOOL_PROT'; did you mean "PATHPOOL_PORT"\?/);
  assert.match(refusalOf(['eval', '--program', 'p', '--data', 'd'], { PATHPOOL_X: '' }).text, /PATHPOOL_X/);
  assert.equal(configOf([], { PATHPOOL_AUTHORIZATION: 'Bearer x', PATHPOOLING: '1' }).port, 8080);
  assert.equal(readCommandLine(['check', 'd'], { PATHPOOL_PROT: '8081' }).kind, 'check');
});

test('--help shows every setting with its environment name and default', () => {
  const { status, text } = refusalOf(['--help']);
  assert.equal(status, 0);
  const flat = text.replaceAll(/\s+/g, ' ');
  for (const setting of Object.values<Setting<unknown>>(settings)) {
    const { flag, environmentOnly } = setting;
    assert.equal(flat.includes(`--${flag}`), !environmentOnly, flag);
    const variable = environmentName(setting);
    const shown = environmentOnly ? variable : `[${variable}; default: ${shownDefault(setting)}]`;
    assert.ok(flat.includes(shown), flag);
  }
});
