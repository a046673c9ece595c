import { expect, test } from 'vitest';
import { db, useStatusWorld } from '../status-world.ts';
import { runWorlds } from './run-worlds.ts';

useStatusWorld('');

const WORLDS = Number(process.env['IDENTIFICATION_WORLDS'] ?? 500);

test(
  'in many random worlds, no message reaches a flight that its sender does not mean',
  { timeout: 3_600_000 },
  async () => {
    const { wrong, unexpected, ...counts } = await runWorlds(db, { seed: 1_000_000, worlds: WORLDS });
    console.info(JSON.stringify({ ...counts, wrong: wrong.length, unexpected: unexpected.length }));
    expect({ wrong: wrong.slice(0, 5), unexpected: unexpected.slice(0, 5) }).toEqual({ wrong: [], unexpected: [] });
  },
);
