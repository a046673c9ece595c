import { expect, test } from 'vitest';
import {
  buildDifferenceEvent,
  buildStatusEvents,
  toNewEvent,
  type FlightWithStatus,
  type KeyedEvent,
} from '#products/flight-info-alerts/v1/events/build-events.ts';
import { parseFlight, toScheduleContent } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { redactRegistration } from '#products/flight-info-alerts/v1/events/redact-registration.ts';
import type { ScheduleDifference } from '#store/schedules/schedule-differences.ts';
import { row } from '#test/products/flight-info/v2/list-row.ts';

const stored = (changes: Partial<typeof row> = {}) => ({
  doc: JSON.stringify({ ...row, ...changes }),
  details: '',
  seats: undefined,
});
const madeAt = new Date('2026-05-20T14:52:53.007Z');
const toRow = (keyed: KeyedEvent | undefined) => {
  if (!keyed) throw new Error('the event is absent');
  return toNewEvent(keyed, madeAt);
};
const key = 'a'.repeat(64);
const inForce: ScheduleDifference = {
  key,
  before: stored(),
  after: stored({ departure: { ...row.departure, terminal: '3' } }),
  isMarketing: true,
  version: 4,
  deleted: undefined,
};
const terminalChange = { propertyName: 'Departure.Terminal', previousValue: '5' };

test('a schedule difference has no event unless a property of events differs', () => {
  expect(buildDifferenceEvent({ ...inForce, after: stored({ elapsedTime: 1 }) })).toBeUndefined();
});

test('the row of a changed flight has the wire body and the facts of its last schedule', () => {
  const keyed = buildDifferenceEvent(inForce);
  const { body, facts, ...rest } = toRow(keyed);
  expect(rest).toStrictEqual({ flightKey: key, version: 5, madeAt });
  expect(facts).toMatchObject({ kind: 'schedule', isMarketing: true, iataCarrierCode: 'XX', flightNumber: 101 });
  expect(JSON.parse(body)).toMatchObject({
    documentType: 'ScheduleInstance',
    state: 'UPDATED',
    updatedAt: '2026-05-20 14:52:53.007',
    changes: [terminalChange],
  });
});

test('the row of a deleted flight keeps its last content, with which a reinstated flight is compared', () => {
  const keyed = buildDifferenceEvent({ ...inForce, after: undefined });
  const { deleted } = toRow(keyed);
  expect(JSON.parse(deleted?.lastState ?? '')).toEqual(JSON.parse(JSON.stringify(toScheduleContent(stored()))));
  const returned = { ...inForce, before: undefined, deleted: { lastState: deleted?.lastState } };
  const { state, changes } = buildDifferenceEvent(returned)?.event ?? {};
  expect([state, changes]).toEqual(['REINSTATED', [terminalChange]]);
});

const variations = (...minutes: readonly (string | undefined)[]) =>
  minutes.map((variation) => ({ outGateVariation: variation, inGateVariation: undefined }));
const withStatus = (state: string): FlightWithStatus => ({
  flight: parseFlight([{ ...stored(), isMarketing: false }]),
  keys: [key],
  status: {
    doc: JSON.stringify({ state, departure: {}, arrival: {} }),
    seats: undefined,
    originalStatusKey: undefined,
  },
});

test('a status event has the changes since the last status, and the estimates between as facts', () => {
  const steps = variations('00:10:00', undefined, '-00:05:30');
  const [keyed, ...others] = buildStatusEvents(withStatus('Scheduled'), withStatus('OutGate'), steps);
  const { body, facts, ...rest } = toRow(keyed);
  expect([others, rest]).toStrictEqual([[], { flightKey: key, version: 1, madeAt }]);
  expect(facts).toMatchObject({ kind: 'status', flightNumber: 101, outGateVariationSteps: [10, -5.5] });
  expect(facts).not.toHaveProperty('inGateVariationSteps');
  expect(JSON.parse(body)).toMatchObject({
    documentType: 'FlightStatus',
    state: 'OutGate',
    changes: [{ propertyName: 'State', previousValue: 'Scheduled' }],
  });
  expect(buildStatusEvents(withStatus('OutGate'), withStatus('OutGate'))).toEqual([]);
});

const REGISTRATION = 'Equipment.AircraftRegistrationNumber';
const type = { aircraftType: { iata: '789' } };
test.each([
  ['the only member of the equipment', { aircraftRegistrationNumber: 'N000ZZ' }, undefined],
  ['beside the aircraft type', { ...type, aircraftRegistrationNumber: 'N000ZZ' }, type],
  ['of another aircraft', { aircraftRegistrationNumber: 'N111ZZ' }, { aircraftRegistrationNumber: 'N111ZZ' }],
])('a registration is removed from a stored status event: %s', (_, before, equipment) => {
  const changes = ['N000ZZ', 'N111ZZ'].map((previousValue) => ({ propertyName: REGISTRATION, previousValue }));
  const body = JSON.stringify({ state: 'OutGate', equipment: before, changes });
  expect(JSON.parse(redactRegistration(body, 'N000ZZ'))).toStrictEqual({
    state: 'OutGate',
    ...(equipment && { equipment }),
    changes: [{ propertyName: REGISTRATION }, changes[1]],
  });
});
