import { describe, expect, test } from 'vitest';
import type { StatusDetails } from '#generated/flight-info/v2/types.gen.ts';
import { computeFlightView } from '#domain/status/flight-view.ts';
import type { UtcMillisecond, UtcSecond } from '#domain/status/instants.ts';
import type { Observation } from '#domain/status/observed-flight.ts';
import { toStatusDetails } from '#products/flight-info/v2/to-status.ts';
import type { ScheduleReference } from '#store/status/flight-statuses.ts';
import {
  applyObservations,
  toInstant,
  toMessageTime,
  locationIds,
  createObservation,
} from '#test/domain/status/observations.ts';
import { createLandingObservation } from '#test/domain/status/observations.ts';
import { london, newYork, paris } from './example-schedule.ts';
import { masterDataIndex, exampleReference } from './status-master-data.ts';

const rendered = (messages: readonly Observation[], changes: Partial<ScheduleReference> = {}): StatusDetails => {
  const of = { ...exampleReference, ...changes };
  const flight = applyObservations(messages);
  const observedAt = messages.at(-1)?.observedAt ?? toMessageTime('00:00');
  const view = computeFlightView(flight, of.departure);
  return toStatusDetails({ observations: flight, view, observedAt, isCorrection: false }, of, masterDataIndex);
};

/** An instant of 1 June 2026 in local time with its offset, and in UTC. */
const zoned = (local: string, utc: string) => ({ local: `2026-06-01T${local}`, utc: `2026-06-01T${utc}:00+00:00` });
/** A gate time with its punctuality. */
const gateTime = (name: 'outGate' | 'inGate', [timeliness, variation]: readonly [string, string], at: object) => ({
  [`${name}Timeliness`]: timeliness,
  [`${name}Variation`]: variation,
  [name]: at,
});

test('a status has a member for every known property', () => {
  const messages = [
    createObservation('09:00', {
      estimatedOut: toInstant('10:16'),
      estimatedOff: toInstant('10:30'),
      estimatedOn: toInstant('17:35'),
      estimatedIn: toInstant('17:45'),
      departureTerminal: '5',
      departureGate: 'B36',
      departureStand: '336',
      checkIn: { status: 'Closed', at: toInstant('09:00') },
      boarding: { status: 'FinalCall', at: toInstant('09:40') },
      checkInCounter: 'D01-D12',
      arrivalTerminal: '8',
      arrivalGate: '12',
      arrivalStand: '12L',
      baggage: '4',
      registration: 'GZBKA',
      aircraftType: { iata: '789', icao: '' },
    }),
    createObservation('18:05', {
      actualOut: toInstant('10:00'),
      actualOff: toInstant('10:12'),
      actualOn: toInstant('17:50'),
      actualIn: toInstant('18:01'),
    }),
  ];
  expect(rendered(messages)).toEqual({
    state: 'InGate',
    updatedAt: '2026-06-01T18:05:00.000',
    equipment: { aircraftRegistrationNumber: 'GZBKA', actualAircraftType: { iata: '789', icao: 'B789' } },
    departure: {
      estimatedTime: {
        ...gateTime('outGate', ['Delayed', '00:16:00'], zoned('11:16:00+01:00', '10:16')),
        offGround: zoned('11:30:00+01:00', '10:30'),
      },
      actualTime: {
        ...gateTime('outGate', ['OnTime', '00:00:00'], zoned('11:00:00+01:00', '10:00')),
        offGround: zoned('11:12:00+01:00', '10:12'),
      },
      ...london,
      actualTerminal: '5',
      gate: 'B36',
      stand: '336',
      checkInCounter: 'D01-D12',
      checkIn: { status: 'Closed', time: zoned('10:00:00+01:00', '09:00') },
      boarding: { status: 'FinalCall', time: zoned('10:40:00+01:00', '09:40') },
    },
    arrival: {
      estimatedTime: {
        ...gateTime('inGate', ['Early', '-00:15:00'], zoned('13:45:00-04:00', '17:45')),
        onGround: zoned('13:35:00-04:00', '17:35'),
      },
      actualTime: {
        ...gateTime('inGate', ['Delayed', '00:01:00'], zoned('14:01:00-04:00', '18:01')),
        onGround: zoned('13:50:00-04:00', '17:50'),
      },
      ...newYork,
      actualTerminal: '8',
      gate: '12',
      stand: '12L',
      baggage: '4',
    },
  });
});

test.each([
  ['10:00:00', 'OnTime', '00:00:00'],
  ['10:00:01', 'Delayed', '00:00:01'],
  ['10:01:00', 'Delayed', '00:01:00'],
  ['10:59:59', 'Delayed', '00:59:59'],
  ['11:03:00', 'Delayed', '01:03:00'],
  ['09:59:59', 'Early', '-00:00:01'],
  ['08:45:00', 'Early', '-01:15:00'],
])('on time means exactly the scheduled minute: out at %s is %s by %s', (time, outGateTimeliness, outGateVariation) => {
  const { departure } = rendered([createObservation('12:00', { actualOut: toInstant(time) })]);
  expect(departure?.actualTime).toMatchObject({ outGateTimeliness, outGateVariation });
});

test('a delay of more than a day is in hours', () => {
  const nextDay = (toInstant('10:30') + 86_400) as UtcSecond;
  const outGate = { local: '2026-06-02T11:30:00+01:00', utc: '2026-06-02T10:30:00+00:00' };
  const { departure } = rendered([createObservation('12:00', { estimatedOut: nextDay })]);
  expect(departure?.estimatedTime).toEqual(gateTime('outGate', ['Delayed', '24:30:00'], outGate));
});

test('without a schedule to compare with, there is no timeliness', () => {
  const arrived = createObservation('18:00', { actualIn: toInstant('17:50') });
  const { arrival } = rendered([arrived], { scheduledIn: undefined });
  expect(arrival?.actualTime).toEqual({ inGate: zoned('13:50:00-04:00', '17:50') });
});

const secondOf = (text: string): UtcSecond => (Date.parse(text) / 1000) as UtcSecond;

test.each([
  [1, '2026-10-25T00:30:00Z', '2026-10-25T01:30:00+01:00'],
  [1, '2026-10-25T01:30:00Z', '2026-10-25T01:30:00+00:00'],
  [2, '2026-03-08T06:59:59Z', '2026-03-08T01:59:59-05:00'],
  [2, '2026-03-08T07:00:00Z', '2026-03-08T03:00:00-04:00'],
  [7, '2026-06-01T20:00:00Z', '2026-06-02T01:45:00+05:45'],
])('the local time at location %d of %s is %s', (departure, utc, local) => {
  const { departure: end } = rendered([createObservation('09:00', { actualOff: secondOf(utc) })], { departure });
  expect(end?.actualTime?.offGround).toEqual({ local, utc: utc.replace('Z', '+00:00') });
});

test('a local time uses the filed UTC offset if the time zone of its airport is unknown', () => {
  const messages = [createObservation('18:00', { actualOff: toInstant('10:05'), actualOn: toInstant('17:50') })];
  const changes = { departure: 5, arrival: 5, departureOffset: -570, arrivalOffset: 345 };
  const { departure, arrival } = rendered(messages, changes);
  const airport = { faa: '2G4' };
  expect(departure).toEqual({ actualTime: { offGround: zoned('00:35:00-09:30', '10:05') }, airport });
  expect(arrival).toEqual({ actualTime: { onGround: zoned('23:35:00+05:45', '17:50') }, airport });
});

describe('diverted flights', () => {
  const arrivalFacts = {
    estimatedIn: toInstant('18:00'),
    arrivalTerminal: '8',
    arrivalGate: '12',
    arrivalStand: '9',
    baggage: '4',
  };
  const takenOff = createObservation('10:20', { actualOff: toInstant('10:15'), ...arrivalFacts });
  const departure = { actualTime: { offGround: zoned('11:15:00+01:00', '10:15') }, ...london };
  const paris12 = { id: 'CDG', airport: locationIds.paris, estimatedIn: toInstant('12:00') };
  const toParis = createLandingObservation('11:00', paris12);

  test('show their diversion airport, its country and its clock, no earlier gate, and no timeliness', () => {
    expect(rendered([takenOff, toParis])).toEqual({
      state: 'inAir',
      updatedAt: '2026-06-01T11:00:00.000',
      departure,
      arrival: { estimatedTime: { inGate: zoned('14:00:00+02:00', '12:00') }, ...paris },
      diversionAirport: { iata: 'CDG', icao: 'LFPG' },
      diversionType: 'Unplanned',
      irregularOperationType: 'Diverted',
    });
  });

  test('show gates and belts reported with the diversion or after it', () => {
    const landings = [{ id: 'CDG', airport: locationIds.paris }];
    const withGate = createObservation('11:00', { arrivalGate: 'K1' }, { landings });
    const { arrival } = rendered([takenOff, withGate, createObservation('11:30', { baggage: '30' })]);
    expect(arrival).toEqual({ ...paris, gate: 'K1', baggage: '30' });
  });

  test('have no gate of the first diversion airport after another diversion', () => {
    const gate = createObservation('11:10', { arrivalGate: 'K1' });
    const toLyon = createLandingObservation('11:20', { id: 'CDG', airport: locationIds.lyon });
    const lyon = { airport: { iata: 'LYS', icao: 'LFLL' }, country: { code: 'FR' } };
    expect(rendered([takenOff, toParis, gate, toLyon]).arrival).toEqual(lyon);
  });

  test('show their destination again once they continue, with the diversion', () => {
    const times = { actualOn: toInstant('11:50'), actualOff: toInstant('13:05') };
    const goneOn = createLandingObservation('13:10', { id: 'CDG', ...times });
    const status = rendered([takenOff, toParis, goneOn, createObservation('19:00', { actualIn: toInstant('18:55') })]);
    expect(status).toMatchObject({
      state: 'InGate',
      diversionAirport: { iata: 'CDG', icao: 'LFPG' },
      diversionType: 'TechnicalStop',
      irregularOperationType: 'Diverted',
    });
    expect(status.arrival).toEqual({
      estimatedTime: gateTime('inGate', ['OnTime', '00:00:00'], zoned('14:00:00-04:00', '18:00')),
      actualTime: gateTime('inGate', ['Delayed', '00:55:00'], zoned('14:55:00-04:00', '18:55')),
      ...newYork,
      actualTerminal: '8',
      gate: '12',
      stand: '9',
      baggage: '4',
    });
  });

  test('keep the scheduled airport until the diversion airport is reported', () => {
    const nowhere = createLandingObservation('11:00', { id: '1', estimatedOn: toInstant('12:00') });
    expect(rendered([takenOff, nowhere])).toEqual({
      state: 'inAir',
      updatedAt: '2026-06-01T11:00:00.000',
      departure,
      arrival: { estimatedTime: { onGround: zoned('08:00:00-04:00', '12:00') }, ...newYork },
      diversionType: 'Undefined',
      irregularOperationType: 'Diverted',
    });
  });

  test('use UTC at an airport with an unknown zone, and no name for an unknown airport', () => {
    const landed = (airport: number) =>
      createLandingObservation('12:00', { id: '1', airport, actualOn: toInstant('11:50') });
    const actualTime = { onGround: zoned('11:50:00+00:00', '11:50') };
    expect(rendered([takenOff, landed(5)]).arrival).toEqual({ actualTime, airport: { faa: '2G4' } });
    const unknown = rendered([takenOff, landed(6)]);
    expect([unknown.arrival, unknown.diversionType]).toEqual([{ actualTime }, 'Unplanned']);
    expect(unknown).not.toHaveProperty('diversionAirport');
  });

  test('are neither early nor late at the gate of the airport to which they returned', () => {
    const actualIn = toInstant('12:00');
    const returned = createLandingObservation('12:05', {
      id: 'FR',
      airport: 1,
      actualOn: toInstant('11:50'),
      actualIn,
    });
    expect(rendered([takenOff, returned]).arrival?.actualTime).toEqual({
      onGround: zoned('12:50:00+01:00', '11:50'),
      inGate: zoned('13:00:00+01:00', '12:00'),
    });
  });

  test('use the clock of their departure airport after a return, whether its zone is known or not', () => {
    const back = (airport: number) =>
      createLandingObservation('12:00', { id: 'FR', airport, actualOn: toInstant('11:50') });
    expect(rendered([takenOff, back(1)])).toMatchObject({
      arrival: { actualTime: { onGround: { local: '2026-06-01T12:50:00+01:00' } }, ...london },
      diversionAirport: { iata: 'LHR', icao: 'EGLL' },
      diversionType: 'InAirReturn',
    });
    expect(rendered([takenOff, back(5)], { departure: 5, departureOffset: -570 })).toMatchObject({
      arrival: { actualTime: { onGround: { local: '2026-06-01T02:20:00-09:30' } }, airport: { faa: '2G4' } },
      diversionType: 'InAirReturn',
    });
  });
});

test('recovery flights are marked when they are diverted themselves', () => {
  const diverted = createLandingObservation('11:00', { id: '1', airport: locationIds.paris });
  const expected = { irregularOperationType: 'Recovery', diversionAirport: { iata: 'CDG', icao: 'LFPG' } };
  expect(rendered([diverted], { isRecovery: true })).toMatchObject(expected);
});

test.each([
  [{ registration: 'GZBKA' }, { aircraftRegistrationNumber: 'GZBKA' }],
  [{ aircraftType: { iata: '789', icao: '' } }, { actualAircraftType: { iata: '789', icao: 'B789' } }],
  [{ aircraftType: { iata: '789', icao: 'B78X' } }, { actualAircraftType: { iata: '789', icao: 'B78X' } }],
  [{ aircraftType: { iata: 'ZZZ', icao: '' } }, { actualAircraftType: { iata: 'ZZZ' } }],
  [{ aircraftType: { iata: '', icao: 'GLF6' } }, { actualAircraftType: { icao: 'GLF6' } }],
  [{ registration: null, aircraftType: null }, undefined],
])('for the aircraft %j, %j is returned', (facts, equipment) => {
  expect(rendered([createObservation('09:00', facts)]).equipment).toEqual(equipment);
});

test('a status has its observation time in milliseconds without a zone, and whether it is a correction', () => {
  const observations = applyObservations([createObservation('09:00', { cancelled: true })]);
  const view = computeFlightView(observations, exampleReference.departure);
  const observedAt = (toMessageTime('09:00') + 7) as UtcMillisecond;
  const status = { observations, view, observedAt, isCorrection: true };
  const expected = { updatedAt: '2026-06-01T09:00:00.007', correction: true };
  expect(toStatusDetails(status, exampleReference, masterDataIndex)).toMatchObject(expected);
  expect(rendered([createObservation('09:00', {})])).not.toHaveProperty('correction');
});
