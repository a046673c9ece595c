import { nkeys } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { deriveHubKeys } from '#delivery/hub/hub-keys.ts';
import { deriveConsumerNames, formatSubject } from '#delivery/hub/hub-names.ts';
import { renderServerConfig } from '#delivery/hub/hub-server-config.ts';
import { scheduleEvent, statusEvent } from '#test/domain/alerts/sample-events.ts';

const keysOf = (byte: number) => deriveHubKeys(Buffer.alloc(32, byte));
const publicKeys = (byte: number): readonly string[] => {
  const { operator, events, readers, system } = keysOf(byte);
  return [operator, events, readers, system].map((key) => key.getPublicKey());
};

test('derives an operator key and three account keys from the secret, the same in each release', () => {
  const keys = publicKeys(1);
  expect(keys).toEqual([
    'OCRKYVMWP5ZY5FWWFVEZTFRQLU6EYP2DWP3O4YME5S5HC7R3ZR3J72E6',
    'ABZ7KJBUWLNOEZPBSGLIBAJYB3A7GVIPPKGJFRZ3PZR6FABQ5SU6GCRZ',
    'ACDJ3B5OCQJCUXAOJKWWKMCWNAQ22VJ5YS5JXXLT27IGPWDIB4DNSRGM',
    'ABPHCTZQCX6LAHH5ZWWMRGXEUTWYDSUY2NCFO7DOQGCJ2PHFVGL2LQ6I',
  ]);
  expect(new Set([...keys, ...publicKeys(2)]).size).toBe(8);
});

test('writes keys in the format of the reference library', () => {
  const { operator } = keysOf(1);
  const seed = new TextDecoder().decode(operator.getSeed());
  expect(seed).toMatch(/^SO[A-Z2-7]{56}$/);
  const data = Buffer.from('data');
  expect(nkeys.fromPublic(operator.getPublicKey()).verify(data, operator.sign(data))).toBe(true);
});

test('the configuration of a server contains no private key', () => {
  const options = { listen: '127.0.0.1:4222', storeDir: '/var/lib/nats', now: new Date('2027-03-01T12:00:00Z') };
  const text = renderServerConfig(keysOf(1), options);
  expect(text).toContain('listen: "127.0.0.1:4222"\njetstream { store_dir: "/var/lib/nats" }\n');
  for (const key of Object.values(keysOf(1))) expect(text).not.toContain(new TextDecoder().decode(key.getSeed()));
  const claims = [...text.matchAll(/eyJ[\w-]+\.([\w-]+)\./g)].map(([, part = '']) =>
    Buffer.from(part, 'base64url').toString(),
  );
  expect(claims.join()).not.toMatch(/"S[OAU][A-Z2-7]{56}"/);
  const connection = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  expect(claims.map((one) => JSON.parse(one)).map(({ name, nats }) => [name, nats.type, nats.limits])).toEqual([
    ['flightdata', 'operator', undefined],
    ['events', 'account', { ...connection, ...storage }],
    ['readers', 'account', connection],
    ['system', 'account', connection],
  ]);
});

test('formats the subject of an event for any codes', () => {
  const subjects = [
    statusEvent,
    scheduleEvent,
    { ...statusEvent, iataCarrierCode: '' },
    { ...statusEvent, iataCarrierCode: '', icaoCarrierCode: '' },
    { ...statusEvent, iataCarrierCode: '>' },
    { ...statusEvent, iataCarrierCode: 'A.B' },
  ].map((facts) => formatSubject('a', facts));
  const known = ['events.a.status.ZZ.101', 'events.a.schedules.ZZ.101', 'events.a.status.ZZA.101'];
  expect(subjects).toEqual([...known, ...Array.from({ length: 3 }, () => 'events.a.status._.101')]);
});

test('derives the name of a consumer from account, group and secret', () => {
  const named = (byte: number, accountId: string, group: string) =>
    deriveConsumerNames(Buffer.alloc(32, byte), { accountId, group });
  const names = named(1, 'a', 'default');
  expect(named(1, 'a', 'default')).toEqual(names);
  expect(names.consumer).toMatch(/^a-default-[0-9a-f]{32}$/);
  const all = [names, named(1, 'b', 'default'), named(1, 'a', 'other'), named(2, 'a', 'default')];
  const secrets = all.flatMap(({ consumer, inbox }) => [consumer.slice(-32), inbox.slice(-32)]);
  expect(new Set(secrets).size).toBe(8);
});
