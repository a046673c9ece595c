import { expect, test } from 'vitest';
import { db, useStatusWorld } from '../status-world.ts';
import { runWorlds } from './run-worlds.ts';

useStatusWorld('');

test(
  'in random worlds, each message reaches its flight or is quarantined, as the reference pages say',
  { timeout: 120_000 },
  async () => {
    const { wrong, unexpected, ...counts } = await runWorlds(db, { seed: 42_000, worlds: 200 });
    expect({ wrong: wrong.slice(0, 5), unexpected: unexpected.slice(0, 5) }).toEqual({ wrong: [], unexpected: [] });
    expect(counts.found).toBeGreaterThan(counts.messages / 2);
  },
);
