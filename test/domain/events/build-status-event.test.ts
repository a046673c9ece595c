import { describe, expect, test } from 'vitest';
import { statusChangeKinds } from '../../../src/domain/alerts/alert.ts';
import { listChangeKinds, buildStatusEvent } from '../../../src/domain/events/event-builder.ts';
import { getChangeKind, statusProperties } from '../../../src/domain/events/event-properties.ts';
import { fullStatusContent } from './event-contents.ts';
import { differentValue, getValue, withValue } from './edit-content.ts';

/** The kinds of change when these properties change. */
const kindsOf = (...names: readonly string[]) => {
  const after = names.reduce(
    (body, name) => withValue(body, name, differentValue(getValue(fullStatusContent, name))),
    fullStatusContent,
  );
  const event = buildStatusEvent(fullStatusContent, after, 0);
  const { changed, changedElse } = listChangeKinds(event?.changes ?? []);
  return { changed: [...changed].toSorted(), changedElse };
};

test('a message without changes has no event', () => {
  expect(buildStatusEvent(fullStatusContent, structuredClone(fullStatusContent), 3)).toBeUndefined();
});

test('all properties of an unknown flight are added', () => {
  expect(buildStatusEvent(undefined, fullStatusContent, 0)).toStrictEqual({
    kind: 'status',
    content: fullStatusContent,
    version: 1,
    changes: statusProperties.map(({ name }) => ({ propertyName: name })),
  });
});

describe('alerts select by kinds of change', () => {
  test.each([
    ['gates', ['Departure.Gate', 'Arrival.Gate']],
    ['terminal', ['Departure.Terminal', 'Arrival.Terminal']],
    ['baggage', ['Arrival.Baggage']],
    ['aircraftRegistrationNumber', ['Equipment.AircraftRegistrationNumber']],
    ['aircraftType', ['Equipment.AircraftType.Iata', 'Equipment.AircraftType.Icao']],
    [
      'seats',
      ['FirstClass', 'BusinessClass', 'PremiumEconomyClass', 'EconomyPlusClass', 'EconomyClass', 'TotalSeats'].map(
        (cabin) => `SeatingCapacity.Actual.${cabin}`,
      ),
    ],
  ])('%s are exactly these properties', (kind, names) => {
    const ofKind = statusProperties.filter(({ name }) => getChangeKind(name) === kind).map(({ name }) => name);
    expect(ofKind.toSorted()).toEqual(names.toSorted());
    expect(names.map((name) => kindsOf(name))).toEqual(names.map(() => ({ changed: [kind], changedElse: false })));
  });

  test('every kind has a property', () => {
    const kinds = new Set(statusProperties.map(({ name }) => getChangeKind(name)));
    expect([...statusChangeKinds].filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  test('times, the state, a diversion and a counter belong to no kind', () => {
    const names = ['State', 'Departure.Times.Actual.OutGate.UTC', 'DiversionAirport.Iata', 'Departure.CheckInCounter'];
    expect(names.map((name) => kindsOf(name))).toEqual(names.map(() => ({ changed: [], changedElse: true })));
  });

  test('one event can have several kinds', () => {
    expect(kindsOf('Departure.Gate', 'Arrival.Baggage', 'State')).toEqual({
      changed: ['baggage', 'gates'],
      changedElse: true,
    });
  });

  test('an event without changes has no kind', () => {
    expect(listChangeKinds([])).toEqual({ changed: new Set(), changedElse: false });
  });
});
