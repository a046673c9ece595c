import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../src/store/pool/database.ts';
import { message, ingest } from '../../jobs/status/messages.ts';

const observed = Date.UTC(2026, 5, 1, 6);

/** A feed that sends each message until it is taken, as any feed should, and remembers which were. */
export const startGateFeed = (db: Database) => {
  const taken: string[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    for (let number = 1; !isOver; number += 1) {
      const gate = `G${number}`;
      // Of two that were observed at once the later one is not known.
      const at = new Date(observed + number * 1000).toISOString();
      const one = message({ id: gate, at, facts: { departureGate: gate } });
      const isTaken = async (): Promise<boolean> => {
        try {
          await ingest(db, [one]);
          return true;
        } catch {
          return false;
        }
      };
      while (!(await isTaken())) await delay(50);
      taken.push(gate);
      await delay(20);
    }
  };
  const running = run();
  return {
    taken: (): readonly string[] => taken,
    stop: async (): Promise<void> => {
      isOver = true;
      await running;
    },
  };
};
