import { expect, test } from 'vitest';
import type { FlightFacts } from '#domain/status/message.ts';
import type { UtcMillisecond } from '#domain/status/instants.ts';
import { formatDate, localDate } from '#domain/time/dates.ts';
import {
  type CancellationRow,
  closeCancellations,
  listCancelledLegs,
  replaceCancellations,
} from '#store/status/schedule-cancellations.ts';
import { sharedDatabase } from '#test/support/database.ts';

const { sql: db } = await sharedDatabase();
const flight = { carrier: 'XX', flightNumber: 201, suffix: '' };

/** Returns a row of a leg of XX201, e.g. `2026-06-10 SYD SIN`. */
const toRow = (text: string, minute: number, facts: FlightFacts): CancellationRow => {
  const [date = '', departureAirport = '', arrivalAirport = ''] = text.split(' ');
  const originDate = localDate(date);
  const message = {
    id: `${text} ${minute}`,
    source: 'asm',
    observedAt: (minute * 60_000) as UtcMillisecond,
    flight: { by: 'designator', ...flight, originDate, departureAirport, arrivalAirport },
    facts,
    landings: [],
    plan: undefined,
  } as const;
  return { flight, originDate, message };
};

test('a leg is cancelled by its last change in force, whatever else is known of it and of other legs', async () => {
  const replace = (...rows: readonly CancellationRow[]) => replaceCancellations(db, { flights: [flight] }, rows);
  const list = async (): Promise<readonly string[]> =>
    (await listCancelledLegs(db)).map(
      ({ flight: { carrier, flightNumber, suffix }, originDate, departure, arrival }) =>
        `${carrier}${flightNumber}${suffix} ${formatDate(originDate)} ${departure.station} ${arrival.station}`,
    );
  const [cancelled, reinstated] = [{ cancelled: true }, { cancelled: false }];
  const again = toRow('2026-06-11 SYD SIN', 10, cancelled);
  const rows = [
    toRow('2026-06-10 SYD SIN', 1, cancelled),
    toRow('2026-06-10 SYD SIN', 2, { registration: 'VHABC' }),
    toRow('2026-06-10 SIN LHR', 1, cancelled),
    toRow('2026-06-10 SIN LHR', 3, reinstated),
    toRow('2026-06-11 SYD SIN', 8, cancelled),
    toRow('2026-06-11 SYD SIN', 9, reinstated),
  ];
  await replace(...rows, again);
  const [first, second] = ['XX201 2026-06-10 SYD SIN', 'XX201 2026-06-11 SYD SIN'];
  expect(await list()).toEqual([first, second]);
  await closeCancellations(db, { stored: [...rows, again].map(({ message }) => message.id), removed: [] });
  expect(await list()).toEqual([first, second]);
  // The statuses still have the withdrawn change.
  await replace(...rows);
  expect(await list()).toEqual([first]);
});
