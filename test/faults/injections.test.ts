/* Values that would be code elsewhere, in every parameter of every operation that reads, and in every place that is logged. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeOf } from '../../src/domain/openapi-document.ts';
import { withParameter } from '../contract/envelope.ts';
import { serveKnownWorld, type KnownWorld } from '../contract/known-world.ts';
import { isCursor, parameterOf } from '../contract/schema-texts.ts';
import { isList, servedOperations } from '../contract/served-documents.ts';
import { serveTinyWorld, TEST_KEY, type Served } from '../support/tiny-world.ts';

let world: KnownWorld;
let service: Served;
beforeAll(async () => {
  [world, service] = await Promise.all([serveKnownWorld(), serveTinyWorld()]);
});
afterAll(async () => {
  await world.drop();
  await service.drop();
});

/** The sleeps are longer than any test may take. */
const sql = [
  `'`,
  `''`,
  `\\`,
  `\\'`,
  `$1`,
  `$$`,
  `;`,
  `--`,
  `/*`,
  `' or '1'='1`,
  `' or 1=1--`,
  `1 or 1=1`,
  `LHR' or ''='`,
  `LHR'--`,
  `LHR') or ('1'='1`,
  `LHR\\' or 1=1--`,
  `'; select pg_sleep(300)--`,
  `' || pg_sleep(300) || '`,
  `1;select pg_sleep(300)`,
  `' and (select pg_sleep(300)) is null--`,
  `' union select null,null,null--`,
  `' union all select hash from subscription_key--`,
  `'; drop table flight_instance; --`,
  `'; copy (select 1) to program 'id'--`,
  `{LHR,"x'--"}`,
  `E'\\x27'`,
  `U&'\\0027'`,
  `%27%20or%201=1`,
  `%`,
  `_`,
  `%%%`,
  `\uff07 or 1=1`,
  `\u02bc or 1=1`,
];

const others = [
  `\0`,
  `LHR\0`,
  `\r\nX-Injected: 1`,
  `\n{"level":"info","status":200}`,
  `\u001b[2J\u001b[31m`,
  `\u0085\u2028\u2029`,
  `"}{"level":"error"`,
  `<script>alert(1)</script>`,
  `\${jndi:ldap://127.0.0.1/a}`,
  `{{7*7}}`,
  `../../../../etc/passwd`,
  `..%2f..%2fetc%2fpasswd`,
  `__proto__`,
  `constructor`,
  `toString`,
  `\ud800`,
  `\u202eRHL`,
  `🛩️🛩️🛩️`,
  `-1`,
  `1e309`,
  `NaN`,
  `9007199254740993`,
  `0x1F`,
  `٣`,
  `true`,
  `null`,
  `[]`,
  'A'.repeat(2000),
];

const payloads = [...sql, ...others];

/** A lone surrogate cannot be written in UTF-8: this is how a careless sender writes it. */
const encoded = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80');

/** Whether a text moves a cursor or breaks a line in some reader. */
const hasControls = (text: string): boolean => /\p{Cc}|[\u2028\u2029]/u.test(text);

const headers = { 'subscription-key': TEST_KEY };
const reading = servedOperations.filter(([, , { method }]) => method === 'get');

describe.each(reading)('%s', (_, served, operation) => {
  const declared = operation.parameters.map((one) => parameterOf(served.contract.document, one));

  test('finds no more than before for what would be code elsewhere, and answers as its document says', async () => {
    const ask = world.on(served);
    const base = isList(served, operation)
      ? await world.wholeList(served, operation)
      : withParameter(operation.path, 'version', served.version);
    const anomalies: string[] = [];
    let asked = 0;
    const total = async (response: Response): Promise<number> =>
      Number(nodeOf(nodeOf(await response.json())['paging'])['totalCount'] ?? 0);
    const all = isList(served, operation) ? await total(await ask(base, { method: 'GET', headers })) : Infinity;
    const attack = async (path: string, extra: Record<string, string> = {}): Promise<void> => {
      asked += 1;
      const response = await ask(path, { method: 'GET', headers: { ...headers, ...extra } });
      const copy = response.clone();
      for (const problem of await served.contract.problems('get', operation.path, response))
        anomalies.push(`${path}: ${problem}`);
      if (![200, 400, 404].includes(copy.status)) anomalies.push(`${path}: ${copy.status}`);
      else if (copy.status === 200 && (await total(copy)) > all) anomalies.push(`${path}: more than there is`);
    };
    for (const payload of payloads) {
      const text = encoded(payload);
      for (const parameter of declared)
        if (parameter.in === 'query' && parameter.name !== 'Wait')
          await attack(withParameter(base, parameter.name, text));
        else if (parameter.in === 'path' && !/^\.*$/.test(payload))
          await attack(operation.path.replace(`{${parameter.name}}`, text).replaceAll(/\{.+?\}/g, 'x'));
      await attack(withParameter(base, text, text));
    }
    console.log(`${served.name} ${operation.path}: ${asked} injections, ${anomalies.length} anomalies`);
    expect(anomalies).toEqual([]);
    expect(declared.some(isCursor) || asked >= payloads.length).toBe(true);
  });
});

test('each request has one line in the log, whatever it says, and no line can be made to look like another', async () => {
  const before = service.logged().length;
  let asked = 0;
  const paths = payloads.flatMap((payload) => {
    const text = encoded(payload);
    return [
      `/flight-instances?version=${text}`,
      `/flight-instances?${text}=${text}`,
      `/${text}`,
      `/flights/health?${text}`,
    ];
  });
  for (const path of paths) {
    await (
      await service.ask(path, {
        headers: { 'subscription-key': TEST_KEY, 'user-agent': '\u0085"}{', traceparent: 'x' },
      })
    ).text();
    asked += 1;
  }
  const lines = service.logged().slice(before);
  expect(lines).toHaveLength(asked);
  // Each ends with the one line feed that is its own.
  const odd = lines.filter((line) => !line.endsWith('}\n') || hasControls(line.slice(0, -1)));
  expect(odd).toEqual([]);
  expect(lines.map((line) => nodeOf(JSON.parse(line))['level'])).toEqual(lines.map(() => 'info'));
});
