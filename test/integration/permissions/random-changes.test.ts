import { test } from 'node:test';
import fc from 'fast-check';
import { as, permissionArgs, requireUnaltered, type Sent } from '../../support/restricted-client.ts';
import { startServer } from '../../support/server-process.ts';

const turtle = { 'Content-Type': 'text/turtle' };
const query = (uri: string) => `uri=${encodeURIComponent(uri)}`;
const LDP = 'http://www.w3.org/ns/ldp#';

const anyTerm = fc.constantFrom('urn:open/s', 'urn:open/g', 'urn:hidden/g1', 'urn:p', 'urn:new');
const anyTriples = fc
  .array(
    fc.tuple(
      anyTerm,
      anyTerm,
      fc.oneof(
        anyTerm.map((term) => `<${term}>`),
        fc.constant('[ <urn:p> 1 ]'),
      ),
    ),
    {
      maxLength: 4,
    },
  )
  .map((triples) => triples.map(([s, p, o]) => `<${s}> <${p}> ${o} .`).join('\n'));
// The visible graphs mention none of them: deleting a resource removes what they say about it.
const anyHidden = fc.constantFrom('urn:hidden/g1', 'urn:hidden/g2', 'urn:s', 'urn:new');

/** A change of what is hidden from anna; some of them fail, which is a change of nothing. */
const anyChange = fc.oneof(
  fc.tuple(anyHidden, anyTriples, fc.constantFrom('PUT', 'POST')).map(([graph, body, method]) => ({
    target: `/context?graph=${encodeURIComponent(graph)}`,
    sent: { method, headers: turtle, body } as Sent,
  })),
  fc
    .tuple(anyHidden, fc.constantFrom('/context?graph=', '/resource?uri=', '/content?uri='))
    .map(([name, place]) => ({
      target: place + encodeURIComponent(name),
      sent: { method: 'DELETE' } as Sent,
    })),
  anyHidden.map((name) => ({ target: `/resource?${query(name)}`, sent: { method: 'POST' } as Sent })),
  fc.tuple(anyHidden, fc.string()).map(([name, text]) => ({
    target: `/content/text/plain?${query(name)}`,
    sent: { method: 'PUT', body: `x${text}` } as Sent,
  })),
  fc
    .tuple(fc.constantFrom('', '/open', '/direct'), fc.nat(9), anyTriples)
    .map(([container, number, body]) => ({
      target: `/ldp${container}/secret${number}`,
      sent: { method: 'PUT', headers: { ...turtle, 'If-Match': '*' }, body } as Sent,
    })),
  fc
    .tuple(fc.constantFrom('', '/open', '/direct'), fc.nat(9), anyTriples)
    .map(([container, number, body]) => ({
      target: `/ldp${container}/secret${number}`,
      sent: { method: 'PUT', headers: turtle, body } as Sent,
    })),
  fc.tuple(fc.constantFrom('', '/open', '/direct'), fc.nat(9)).map(([container, number]) => ({
    target: `/ldp${container}/secret${number}`,
    sent: { method: 'DELETE' } as Sent,
  })),
);

const requests = [
  ...['/context/list?labels', '/dataset', '/dataset?format=trig', '/context?graph=urn:open/g'],
  ...['urn:open/s', 'urn:open/g', 'urn:hidden/g1', 'urn:s', 'urn:new'].flatMap((uri) => [
    `/resource?${query(uri)}`,
    `/meta/text/turtle?${query(uri)}`,
    `/content?${query(uri)}`,
  ]),
  ...['/ldp', '/ldp/open', '/ldp/direct', '/ldp/open/member', '/ldp/open/secret1', '/ldp/secret2'],
].map((target) => [target] as const);

test('G-161, G-163: no sequence of changes of what is hidden changes a byte', async (context) => {
  const rules = ['read user:anna urn:open/* /ldp /ldp/open /ldp/direct /ldp/open/member /ldp/direct/member'];
  const server = await startServer(context, await permissionArgs(context, rules));
  const root = as('root', server);
  const put = (target: string, body: string) =>
    root.expect(201, target, { method: 'PUT', headers: turtle, body });
  await put('/context?graph=urn:open/g', '<urn:open/s> <urn:p> 1, [ <urn:p> <urn:open/s> ] .');
  await put('/ldp/open/member', '<> <urn:p> 1 .');
  await put('/ldp/direct', `<> a <${LDP}DirectContainer> ; <${LDP}membershipResource> </ldp/open> .`);
  await put('/ldp/direct/member', '');
  await fc.assert(
    fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 8 }), async (changes) => {
      await requireUnaltered(
        as('anna', server),
        requests,
        changes.map(
          ({ target, sent }) =>
            () =>
              root.send(target, sent),
        ),
      );
    }),
    { numRuns: 6 },
  );
});
