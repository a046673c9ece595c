import { afterAll, describe, expect, test } from 'vitest';
import { toList, toJsonObject } from '#lib/openapi-document.ts';
import { scheduleProperties, statusProperties } from '#products/flight-info-alerts/v1/events/event-properties.ts';
import type { PropertyChange, PropertyValue } from '#products/flight-info-alerts/v1/events/event-properties.ts';
import type { StatusContent } from '#products/flight-info-alerts/v1/events/event-content.ts';
import { boardingStatuses, checkInStatuses } from '#domain/status/message.ts';
import { compareObservations, unobservedFlight, applyObservation } from '#domain/status/observed-flight.ts';
import { computeFlightView } from '#domain/status/flight-view.ts';
import { parseFlight, toStatusContents } from '#products/flight-info-alerts/v1/events/build-content.ts';
import { toSeats } from '#products/flight-info/v2/to-flight-instance.ts';
import { toStatusDetails } from '#products/flight-info/v2/to-status.ts';
import { fullScheduleContent, fullStatusContent } from '#test/products/flight-info-alerts/v1/events/event-contents.ts';
import {
  differentValue,
  undoChanges,
  getValue,
  omitEmpty,
  withValue,
} from '#test/products/flight-info-alerts/v1/events/edit-content.ts';
import { withValues } from '#test/products/flight-info-alerts/v1/events/edit-content.ts';
import { createRandomNumbers, createRandomMessages } from '#test/domain/status/random-messages.ts';
import { masterDataIndex, exampleReference } from '#test/products/flight-info/v2/status-master-data.ts';
import { readStatusContents, readScheduleContent } from '#test/products/flight-info-alerts/v1/alerts/stored-flights.ts';
import type { FlightSelector } from '#test/products/flight-info-alerts/v1/alerts/stored-flights.ts';
import { row } from '#test/products/flight-info/v2/list-row.ts';
import { statusEvent } from '#test/domain/alerts/sample-events.ts';
import { insertTestEvents, insertLogEvents } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import type { TestEvent } from '#test/products/flight-info-alerts/v1/events/account-events.ts';
import { serveAlerts } from '#test/products/flight-info-alerts/v1/alerts-service.ts';
import { publishText } from '#test/support/tiny-world.ts';
import { Contract } from '../contract.ts';
import { coveredSchedule, serveCoveredWorld } from '../coverage/covered-service.ts';
import { renderDeliveries, renderScheduleDeliveries, renderStatusDeliveries } from '../services/delivered-events.ts';
import { addDeclared, addObserved, type ValuePaths } from '../coverage/observed-values.ts';

const SEEDS = 60;

const contract = new Contract('flight-info-alerts/v1');
const event = { $ref: '#/components/schemas/Event' };

/** Returns the violations of the document by an event; undeclared properties are violations. */
const findViolations = (value: unknown): readonly string[] => {
  const kind = toJsonObject(value)['documentType'] === 'FlightStatus' ? 'StatusEvent' : 'ScheduleEvent';
  return [...contract.check(`#/components/schemas/${kind}`, value), ...contract.check(event.$ref, value)];
};

/** It is Scheduled by a timetable of its airport, and in no schedule. */
const ARRIVAL_ONLY = 9301;

const world = await serveCoveredWorld();
afterAll(world.drop);

/** All flights of the world, each once, with only a few of those that differ by service type. */
const flights = async (): Promise<readonly FlightSelector[]> =>
  world.db<{ number: number; on: string; from: string }[]>`
    select distinct i.flight_number as number, to_char(i.departs_at, 'YYYY-MM-DD') as on, l.iata as from
    from flight_instance i join location l on l.id = i.departure
    where l.iata <> '' and i.flight_number not between 603 and 625 order by 1, 2, 3`;

/** Renders the events of all flights of the world, including flights without observations. */
const renderWorld = async (): Promise<readonly unknown[]> => {
  const events: unknown[] = [];
  for (const flight of await flights()) {
    for (const content of await readStatusContents(world, flight, 'e'.repeat(64)))
      events.push(...renderStatusDeliveries(undefined, content));
    const [status] = await readStatusContents(world, flight);
    if (status.flightType !== 'Scheduled' || flight.number === ARRIVAL_ONLY) continue;
    const instance = await readScheduleContent(world, flight);
    if (!instance) throw new Error(`no instance of ${flight.number}`);
    events.push(...renderScheduleDeliveries({ kind: 'never' }, instance));
    events.push(...renderScheduleDeliveries({ kind: 'in-force', content: instance }, undefined));
  }
  return events;
};

/** Renders the events that the service stores when flights are retimed, deleted and reinstated. */
const renderStored = async (): Promise<readonly unknown[]> => {
  await publishText(world.db, coveredSchedule.replaceAll('1315', '1320').replaceAll('5101', '5102'));
  await publishText(world.db, coveredSchedule);
  const rows = await world.db<{ body: string }[]>`select body from flight_event order by seq`;
  return rows.flatMap(({ body }) => renderDeliveries(body));
};

/** Renders a change of each property alone: from absent to present, and to another value. */
const renderEachChange = (): readonly unknown[] => [
  ...statusProperties.flatMap(({ name }) =>
    [undefined, differentValue(getValue(fullStatusContent, name))].flatMap((value) =>
      renderStatusDeliveries(withValue(fullStatusContent, name, value), fullStatusContent),
    ),
  ),
  ...scheduleProperties.flatMap(({ name }) => {
    const [without, other] = [undefined, differentValue(getValue(fullScheduleContent, name))].map((value) =>
      withValue(fullScheduleContent, name, value),
    );
    return [
      ...renderScheduleDeliveries({ kind: 'in-force', content: without ?? fullScheduleContent }, fullScheduleContent),
      ...renderScheduleDeliveries({ kind: 'deleted', content: other ?? fullScheduleContent }, fullScheduleContent),
    ];
  }),
];

/** Renders rare values: unusual gate times, each status of check-in and boarding, and airline disclosures with a number. */
const renderRareValues = (): readonly unknown[] => [
  ...renderStatusDeliveries(
    undefined,
    withValues(fullStatusContent, [
      ['Departure.Times.Estimated.OutGateTimeliness', 'Early'],
      ['Departure.Times.Estimated.OutGateVariation', '-00:01:00'],
      ['Arrival.Times.Estimated.InGateTimeliness', 'OnTime'],
      ['Arrival.Times.Actual.InGateTimeliness', 'Delayed'],
      ['OperatingAirlineDisclosure.Number', '3'],
    ]),
  ),
  ...checkInStatuses.flatMap((status) =>
    renderStatusDeliveries(undefined, withValue(fullStatusContent, 'Departure.CheckIn.Status', status)),
  ),
  ...boardingStatuses.flatMap((status) =>
    renderStatusDeliveries(undefined, withValue(fullStatusContent, 'Departure.Boarding.Status', status)),
  ),
  ...renderScheduleDeliveries(
    { kind: 'never' },
    withValues(fullScheduleContent, [
      ['Codeshare.OperatingAirlineDisclosure.Number', '3'],
      ['Codeshare.JointOperationAirlineDesignators', [{ code: 'WW', name: 'Double Air', number: '6' }]],
    ]),
  ),
];

const instance = { doc: JSON.stringify(row), isMarketing: false, details: '', seats: undefined };

/** Renders the events of a flight with random observations in random order. */
const renderRandomFlight = (seed: number): readonly unknown[] => {
  const events: unknown[] = [];
  let known = unobservedFlight;
  let previous: StatusContent | undefined;
  for (const message of createRandomMessages(createRandomNumbers(seed), 10).toSorted(compareObservations)) {
    known = applyObservation(known, message);
    const view = computeFlightView(known, exampleReference.departure);
    const status = toStatusDetails(
      { observations: known, view, observedAt: message.observedAt, isCorrection: false },
      exampleReference,
      masterDataIndex,
    );
    const [seats] = known.facts.seats ?? [];
    const [next] = toStatusContents(parseFlight([instance]), {
      doc: JSON.stringify(status),
      seats: seats ? JSON.stringify(toSeats(seats)) : undefined,
      originalStatusKey: undefined,
    });
    if (!next) throw new Error('no status content');
    events.push(...renderStatusDeliveries(previous, next));
    previous = next;
  }
  return events;
};

/** All events of these tests, by their origin. */
const rendered = {
  world: await renderWorld(),
  stored: await renderStored(),
  singleChanges: [...renderEachChange(), ...renderRareValues()],
  random: Array.from({ length: SEEDS }, (_, index) => renderRandomFlight(index + 1)).flat(),
};

/** Lists the values of a member in some events. */
const kindsOf = (events: readonly unknown[], member: string): readonly string[] =>
  [...new Set(events.map(toJsonObject).flatMap((one) => (member in one ? [String(one[member])] : [])))].toSorted();

describe('every event conforms to the document and has no undeclared property', () => {
  test('when the service stores it', () => {
    expect(rendered.stored.flatMap(findViolations)).toEqual([]);
    expect([kindsOf(rendered.stored, 'documentType'), kindsOf(rendered.stored, 'flightType')]).toEqual([
      ['FlightStatus', 'ScheduleInstance'],
      ['GA', 'Scheduled', 'Unscheduled'],
    ]);
    expect(kindsOf(rendered.stored, 'state')).toEqual(
      expect.arrayContaining(['DELETED', 'NEW', 'REINSTATED', 'UPDATED', 'Canceled', 'Proposed', 'inAir']),
    );
  });

  test('when it is rendered for any flight of the world', () => {
    expect(rendered.world.flatMap(findViolations)).toEqual([]);
    expect(rendered.world.length).toBeGreaterThan(300);
  });

  test('when one property changes', () => {
    expect(rendered.singleChanges.flatMap(findViolations)).toEqual([]);
    expect(rendered.singleChanges.length).toBeGreaterThan(4 * (statusProperties.length + scheduleProperties.length));
  });

  test(`of flights with random observations, seeds 1 to ${SEEDS}`, () => {
    expect(rendered.random.flatMap(findViolations)).toEqual([]);
    expect(rendered.random.length).toBeGreaterThan(SEEDS * 8);
  });
});

/** The first delivery of each event has all contents that alerts can select. */
const listFirstDeliveries = (): readonly unknown[] =>
  Object.values(rendered)
    .flat()
    .filter((one) => toJsonObject(one)['position'] === 1);

test('events cover everything that the document declares of them', () => {
  const [declared, observed]: [ValuePaths, ValuePaths] = [new Set(), new Set()];
  addDeclared(contract.document, { schema: event, at: '' }, declared);
  for (const value of listFirstDeliveries()) addObserved(contract.document, { schema: event, at: '', value }, observed);
  const unobserved = [...declared].filter((valuePath) => !observed.has(valuePath)).toSorted();
  expect(
    unobserved,
    'declared, but no event of test/products/flight-info-alerts/v1/events/event-contents.ts has it',
  ).toEqual([]);
});

/** Returns some of the stored events that together have every property and value. */
const selectCoveringEvents = (): readonly TestEvent[] => {
  const observed: ValuePaths = new Set();
  return listFirstDeliveries()
    .filter((value) => {
      const before = observed.size;
      addObserved(contract.document, { schema: event, at: '', value }, observed);
      return observed.size > before;
    })
    .map((one) => {
      const { messageId: _, messageTimestamp: _made, position: _number, alertId: _alert, ...body } = toJsonObject(one);
      return { body };
    });
};

const service = await serveAlerts();
afterAll(service.drop);
const accountId = await service.createAccount();

describe('responses contain everything that events contain', () => {
  const now = new Date('2026-06-01T11:00:00Z');
  const SAMPLES = 10;
  const stored = selectCoveringEvents();

  test('an account reads the events as documented', async () => {
    await insertTestEvents(service.db, accountId, { events: stored, now });
    const page = await service.sendJson('GET', '/events?After=0&Limit=1000', { headers: { accountid: accountId } });
    const copy = page.clone();
    expect(toList(toJsonObject(await page.json())['data']).length).toBe(stored.length);
    expect(await contract.problems('get', '/flight-info-alerts/events', copy)).toEqual([]);
    expect(stored.length).toBeGreaterThan(20);
  });

  test('a preview returns the events as documented', async () => {
    for (let first = 0; first < stored.length; first += SAMPLES) {
      const flightNumber = 1000 + first;
      const batch = stored
        .slice(first, first + SAMPLES)
        .map(({ body }) => ({ body, facts: { ...statusEvent, flightNumber } }));
      await insertLogEvents(service.db, { events: batch, now });
      const alert = { accountId, alertType: 'Carrier', iataCarrierCode: 'ZZ', flightNumber };
      const body = { ...alert, changeIndicator: true, content: 'seats', days: 7 };
      const preview = await service.sendJson('POST', '/alerts/preview', { body });
      const copy = preview.clone();
      expect(toList(toJsonObject(await preview.json())['samples']).length).toBe(batch.length);
      expect(await contract.problems('post', '/flight-info-alerts/alerts/preview', copy)).toEqual([]);
    }
  });
});

const examples = toJsonObject(toJsonObject(contract.document['components'])['examples']);
const exampleOf = (name: string): object => toJsonObject(toJsonObject(examples[name])['value']);

const isValue = (value: unknown): value is PropertyValue => value !== undefined;
const changesOf = (value: object): readonly PropertyChange[] =>
  toList(toJsonObject(value)['changes']).map((one) => {
    const { propertyName, previousValue } = toJsonObject(one);
    return { propertyName: String(propertyName), ...(isValue(previousValue) && { previousValue }) };
  });

test('the event examples have changes that lead back to a valid previous state', () => {
  const before = ['diverted', 'retimed', 'tookOff'].map(exampleOf).map((one) => undoChanges(one, changesOf(one)));
  expect(before.flatMap((value) => findViolations(omitEmpty(value)))).toEqual([]);
  expect(before.map((value) => getValue(value, 'Arrival.Airport.Iata'))).toEqual(['JFK', 'JFK', 'JFK']);
});
