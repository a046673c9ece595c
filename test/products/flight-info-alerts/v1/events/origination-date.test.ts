import { expect, test } from 'vitest';
import type { FlightInstance } from '../../../../../generated/flight-info/v2/types.gen.ts';
import { localDate } from '../../../../../src/domain/time/dates.ts';
import { computeScheduleKey } from '../../../../../src/domain/schedule/keys.ts';
import {
  parseFlight,
  toStatusContents,
} from '../../../../../src/products/flight-info-alerts/v1/events/build-content.ts';
import { row } from './list-row.ts';

const originationDateOf = (changes: Partial<FlightInstance>): string | undefined => {
  const instance = { doc: JSON.stringify({ ...row, ...changes }), isMarketing: false, details: '', seats: undefined };
  return toStatusContents(parseFlight([instance]), { doc: '', seats: undefined, originalStatusKey: undefined })[0]
    ?.originationDate.local;
};

test('a leg that departs after midnight belongs to the flight of the day before', () => {
  const identity = {
    designator: { carrier: 'XX', flightNumber: 101, suffix: 'A' },
    date: localDate('2026-05-31'),
    board: 'LHR',
    off: 'JFK',
    occurrence: 1,
  };
  const leg = {
    serviceSuffix: 'A',
    sequenceNumber: 2,
    scheduleInstanceKey: computeScheduleKey(identity).toString('hex'),
  };
  expect(originationDateOf(leg)).toBe('2026-05-31T00:00:00');
  const byIcao = { ...identity, designator: { ...identity.designator, carrier: 'XXA' } };
  expect(
    originationDateOf({
      ...leg,
      carrier: { iata: 'XX', icao: 'XXA' },
      scheduleInstanceKey: computeScheduleKey(byIcao).toString('hex'),
    }),
  ).toBe('2026-05-31T00:00:00');
});

test('an unscheduled flight belongs to the day on which it departs', () => {
  expect(originationDateOf({ flightType: 'Unscheduled', scheduleInstanceKey: undefined })).toBe('2026-06-01T00:00:00');
});
