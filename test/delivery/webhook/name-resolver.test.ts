import { expect, test } from 'vitest';
import { createDnsResolver } from '../../../src/delivery/webhook/name-resolver.ts';
import { createTargetGuard } from '../../../src/delivery/webhook/target-guard.ts';
import { startDnsServer } from './dns-server.ts';

test('resolves all addresses of a name; rejects for a name without any', async () => {
  const names = await startDnsServer((name) => (name === 'two.example.com' ? ['192.0.2.1', '192.0.2.2'] : []));
  const resolve = createDnsResolver([names.server]);
  const found = await resolve('two.example.com');
  const missing = await resolve('none.example.com').catch((error: unknown) => error);
  names.close();
  expect(found.map(({ address, family }) => `${family} ${address}`).toSorted()).toEqual(['4 192.0.2.1', '4 192.0.2.2']);
  expect(missing).toMatchObject({ code: 'ENOTFOUND', message: "'none.example.com' has no address" });
});

test('reports an unreachable DNS server as an unknown name', async () => {
  const names = await startDnsServer(() => []);
  names.close();
  const resolving = createDnsResolver([names.server])('any.example.com');
  await expect(resolving).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('resolves local names like the system', async () => {
  const found = await createTargetGuard().resolve('localhost');
  expect(found.map(({ address }) => address)).toContain('127.0.0.1');
});
