import { expect, test } from 'vitest';
import type { FlightInstancePage } from '#generated/flight-info/v2/types.gen.ts';
import { reportDemoBoards } from '#cli/serve/start-background-tasks.ts';
import { DEMO_KEY } from '#store/access/demo-key.ts';
import { DEMO_DAY, demoDatabase } from '#test/support/demo-database.ts';
import { createTestApp } from '#test/support/test-app.ts';

test('the board of the last two hours is right before a server listens', async () => {
  const clock = (): Date => new Date(`${DEMO_DAY}T12:00:00Z`);
  const { sql, drop } = await demoDatabase();
  try {
    await reportDemoBoards({ db: sql }, { clock });
    const app = await createTestApp(sql, { clock });
    const countStates = async (path: string): Promise<Readonly<Record<string, number>>> => {
      const response = await app.request(
        `http://service.test/flight-instances?version=v2&Content=Status&Limit=100&${path}`,
        {
          headers: { 'Subscription-Key': DEMO_KEY },
        },
      );
      const { data }: FlightInstancePage = await response.json();
      const counts: Record<string, number> = {};
      for (const { statusDetails } of data) {
        const state = statusDetails?.[0]?.state ?? 'none';
        counts[state] = (counts[state] ?? 0) + 1;
      }
      return counts;
    };
    // London is an hour ahead of UTC.
    const [last, next] = [`${DEMO_DAY}T11:00/${DEMO_DAY}T12:59`, `${DEMO_DAY}T13:00/${DEMO_DAY}T15:00`];
    expect({
      departedLately: await countStates(`DepartureAirport=LHR&DepartureDateTime=${last}`),
      arrivedLately: await countStates(`ArrivalAirport=LHR&ArrivalDateTime=${last}`),
      departNext: await countStates(`DepartureAirport=LHR&DepartureDateTime=${next}`),
    }).toEqual({
      departedLately: { OutGate: 11, inAir: 17, InGate: 2 },
      arrivedLately: { inAir: 2, InGate: 36 },
      departNext: { Scheduled: 18 },
    });
  } finally {
    await drop();
  }
});
