import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  ScheduleEvent as WireScheduleEvent,
  StatusEvent as WireStatusEvent,
} from '../../../generated/flight-info-alerts/v1/types.gen.ts';
import { toList, toJsonObject } from '../../../src/lib/openapi-document.ts';
import type { PropertyChange, PropertyValue } from '../../../src/domain/events/property-changes.ts';
import { scheduleProperties } from '../../../src/domain/events/schedule-properties.ts';
import { statusProperties } from '../../../src/domain/events/status-properties.ts';
import type { StatusContent } from '../../../src/domain/events/event-content.ts';
import { compareObservations, unobservedFlight, applyObservation } from '../../../src/domain/status/observed-flight.ts';
import { computeFlightView } from '../../../src/domain/status/flight-view.ts';
import { parseFlight, toStatusContents } from '../../../src/products/flight-info-alerts/v1/events/status-content.ts';
import type {
  ScheduleEventBody,
  StatusEventBody,
} from '../../../src/products/flight-info-alerts/v1/events/event-body.ts';
import { toSeats } from '../../../src/products/flight-info/v2/to-flight-instance.ts';
import { toStatusDetails } from '../../../src/products/flight-info/v2/to-status.ts';
import { fullScheduleContent, fullStatusContent } from '../../domain/events/event-contents.ts';
import {
  differentValue,
  undoChanges,
  getValue,
  omitEmpty,
  withValue,
  withValues,
} from '../../domain/events/edit-content.ts';
import { randomFrom, randomMessages } from '../../domain/status/random-messages.ts';
import { directory, frame } from '../../products/flight-info/v2/status-directory.ts';
import type { StatusService } from '../../products/flight-info/v2/status-service.ts';
import {
  readStatusContents,
  readScheduleContent,
  type FlightSelector,
} from '../../products/flight-info-alerts/v1/alerts/stored-flights.ts';
import { row } from '../../products/flight-info-alerts/v1/events/list-row.ts';
import { statusEvent } from '../../domain/alerts/any-event.ts';
import {
  insertTestEvents,
  insertLogEvents,
  type TestEvent,
} from '../../products/flight-info-alerts/v1/events/account-events.ts';
import { serveAlerts, type AlertsService } from '../../products/flight-info-alerts/v1/alerts-service.ts';
import { publishText } from '../../support/tiny-world.ts';
import { Contract } from '../contract.ts';
import { coveredSchedule, serveCoveredWorld } from '../coverage/covered-service.ts';
import { renderDeliveries, renderScheduleDeliveries, renderStatusDeliveries } from '../services/delivered-events.ts';
import { addDeclared, addObserved, type ValuePaths } from '../coverage/observed-values.ts';

const SEEDS = 60;

const contract = new Contract('flight-info-alerts/v1');
const schemas = toJsonObject(toJsonObject(contract.document['components'])['schemas']);
const event = { $ref: '#/components/schemas/Event' };

/** In what an event breaks the document, which is held to be closed: a member that it does not have is one. */
const complaints = (value: unknown): readonly string[] => {
  const kind = toJsonObject(value)['documentType'] === 'FlightStatus' ? 'StatusEvent' : 'ScheduleEvent';
  return [...contract.check(`#/components/schemas/${kind}`, value), ...contract.check(event.$ref, value)];
};

let world: StatusService;
beforeAll(async () => {
  world = await serveCoveredWorld();
});
afterAll(() => world.drop());

/** All flights of the world, each once; of those that differ by their service type alone, a few. */
const flights = async (): Promise<readonly FlightSelector[]> =>
  world.db<{ number: number; on: string; from: string }[]>`
    select distinct i.flight_number as number, to_char(i.departs_at, 'YYYY-MM-DD') as on, l.iata as from
    from flight_instance i join location l on l.id = i.departure
    where l.iata <> '' and i.flight_number not between 603 and 625 order by 1, 2, 3`;

/** What is told of the flights of the world: of those that were never observed as well. */
const toldOfWorld = async (): Promise<readonly unknown[]> => {
  const events: unknown[] = [];
  for (const wanted of await flights()) {
    for (const told of await readStatusContents(world, wanted, 'e'.repeat(64)))
      events.push(...renderStatusDeliveries(undefined, told));
    const [told] = await readStatusContents(world, wanted);
    if (told.flightType !== 'Scheduled') continue;
    const instance = await readScheduleContent(world, wanted);
    if (!instance) throw new Error(`no instance of ${wanted.number}`);
    events.push(...renderScheduleDeliveries({ kind: 'never' }, instance));
    events.push(...renderScheduleDeliveries({ kind: 'in-force', content: instance }, undefined));
  }
  return events;
};

/** What the service itself writes when flights are retimed, deleted and filed again. */
const writtenInWorld = async (): Promise<readonly unknown[]> => {
  await publishText(world.db, coveredSchedule.replaceAll('1315', '1320').replaceAll('5101', '5102'));
  await publishText(world.db, coveredSchedule);
  const rows = await world.db<{ body: string }[]>`select body from flight_event order by seq`;
  return rows.flatMap(({ body }) => renderDeliveries(body));
};

/** Every property that can change, changed alone: it is there and was not, and it is another one. */
const changedOneByOne = (): readonly unknown[] => [
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

/** What is rare: gate times that turn out otherwise, and companies with a number. */
const rare = (): readonly unknown[] => [
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
  ...renderScheduleDeliveries(
    { kind: 'never' },
    withValues(fullScheduleContent, [
      ['Codeshare.OperatingAirlineDisclosure.Number', '3'],
      ['Codeshare.JointOperationAirlineDesignators', [{ code: 'WW', name: 'Double Air', number: '6' }]],
    ]),
  ),
];

const instance = { doc: JSON.stringify(row), isMarketing: false, details: '', seats: undefined };

/** The life of a flight of which sources say anything, in any order. */
const randomLife = (seed: number): readonly unknown[] => {
  const events: unknown[] = [];
  let known = unobservedFlight;
  let told: StatusContent | undefined;
  for (const message of randomMessages(randomFrom(seed), 10).toSorted(compareObservations)) {
    known = applyObservation(known, message);
    const view = computeFlightView(known, frame.departure);
    const status = toStatusDetails(
      { known, view, observedAt: message.observedAt, isCorrection: false },
      frame,
      directory,
    );
    const [seats] = known.facts.seats ?? [];
    const [next] = toStatusContents(parseFlight([instance]), {
      doc: JSON.stringify(status),
      seats: seats ? JSON.stringify(toSeats(seats)) : undefined,
      originalStatusKey: undefined,
    });
    if (!next) throw new Error('a flight that is not told');
    events.push(...renderStatusDeliveries(told, next));
    told = next;
  }
  return events;
};

/** All that is delivered of events in these tests. */
const made: Record<'told' | 'written' | 'oneByOne' | 'random', readonly unknown[]> = {
  told: [],
  written: [],
  oneByOne: [],
  random: [],
};
beforeAll(async () => {
  made.told = await toldOfWorld();
  made.written = await writtenInWorld();
  made.oneByOne = [...changedOneByOne(), ...rare()];
  made.random = Array.from({ length: SEEDS }, (_, index) => randomLife(index + 1)).flat();
});

/** The kinds of events there are in some, by a member. */
const kindsOf = (events: readonly unknown[], member: string): readonly string[] =>
  [...new Set(events.map(toJsonObject).flatMap((one) => (member in one ? [String(one[member])] : [])))].toSorted();

describe('every event is as the document says, and has no member that it does not have', () => {
  test('that is written in a world in which everything happens', () => {
    expect(made.written.flatMap(complaints)).toEqual([]);
    expect([kindsOf(made.written, 'documentType'), kindsOf(made.written, 'flightType')]).toEqual([
      ['FlightStatus', 'ScheduleInstance'],
      ['GA', 'Scheduled', 'Unscheduled'],
    ]);
    expect(kindsOf(made.written, 'state')).toEqual(
      expect.arrayContaining(['DELETED', 'NEW', 'REINSTATED', 'UPDATED', 'Canceled', 'Proposed', 'inAir']),
    );
  });

  test('that could be told of any flight of that world', () => {
    expect(made.told.flatMap(complaints)).toEqual([]);
    expect(made.told.length).toBeGreaterThan(300);
  });

  test('when one property changes', () => {
    expect(made.oneByOne.flatMap(complaints)).toEqual([]);
    expect(made.oneByOne.length).toBeGreaterThan(4 * (statusProperties.length + scheduleProperties.length));
  });

  test(`of flights of which sources say anything, seeds 1 to ${SEEDS}`, () => {
    expect(made.random.flatMap(complaints)).toEqual([]);
    expect(made.random.length).toBeGreaterThan(SEEDS * 8);
  });
});

test('whatever the document says of events is found in one', () => {
  const [declared, seen]: [ValuePaths, ValuePaths] = [new Set(), new Set()];
  addDeclared(contract.document, { schema: event, at: '' }, declared);
  // The first that is delivered of each event has all that alerts can ask for.
  for (const value of Object.values(made)
    .flat()
    .filter((one) => toJsonObject(one)['position'] === 1))
    addObserved(contract.document, { schema: event, at: '', value }, seen);
  expect([...declared].filter((place) => !seen.has(place)).toSorted()).toEqual([]);
});

/** Of the events, as they are kept, some that say together all that is said in any. */
const tellingMost = (): readonly TestEvent[] => {
  const seen: ValuePaths = new Set();
  const firsts = Object.values(made)
    .flat()
    .filter((one) => toJsonObject(one)['position'] === 1);
  return firsts
    .filter((value) => {
      const before = seen.size;
      addObserved(contract.document, { schema: event, at: '', value }, seen);
      return seen.size > before;
    })
    .map((one) => {
      const { messageId: _, messageTimestamp: _made, position: _number, alertId: _alert, ...body } = toJsonObject(one);
      return { body };
    });
};

describe('what is found in events is found in answers too', () => {
  const now = new Date('2026-06-01T11:00:00Z');
  const SAMPLES = 10;
  let pulling: AlertsService;
  let accountId = '';
  let news: readonly TestEvent[] = [];
  beforeAll(async () => {
    pulling = await serveAlerts();
    accountId = await pulling.createAccount();
    news = tellingMost();
  });
  afterAll(() => pulling.drop());

  test('an account pulls them as the document says', async () => {
    await insertTestEvents(pulling.db, accountId, { events: news, now });
    const page = await pulling.sendJson('GET', '/events?After=0&Limit=1000', { headers: { accountid: accountId } });
    const copy = page.clone();
    expect(toList(toJsonObject(await page.json())['data']).length).toBe(news.length);
    expect(await contract.problems('get', '/flight-info-alerts/events', copy)).toEqual([]);
    expect(news.length).toBeGreaterThan(20);
  });

  test('and a preview shows them as the document says', async () => {
    for (let first = 0; first < news.length; first += SAMPLES) {
      const flightNumber = 1000 + first;
      const some = news
        .slice(first, first + SAMPLES)
        .map(({ body }) => ({ body, facts: { ...statusEvent, flightNumber } }));
      await insertLogEvents(pulling.db, { events: some, now });
      const alert = { accountId, alertType: 'Carrier', iataCarrierCode: 'ZZ', flightNumber };
      const asked = { ...alert, changeIndicator: true, content: 'seats', days: 7 };
      const preview = await pulling.sendJson('POST', '/alerts/preview', { body: asked });
      const copy = preview.clone();
      expect(toList(toJsonObject(await preview.json())['samples']).length).toBe(some.length);
      expect(await contract.problems('post', '/flight-info-alerts/alerts/preview', copy)).toEqual([]);
    }
  });
});

test('a member that the document does not have, a missing one and a wrong one are seen', () => {
  const [value] = renderStatusDeliveries(undefined, fullStatusContent);
  const { position: _, ...without } = toJsonObject(value);
  const spoiled: readonly object[] = [
    { ...toJsonObject(value), colour: 'red' },
    { ...toJsonObject(value), departure: { scheduled: {}, colour: 'red' } },
    without,
    { ...toJsonObject(value), state: 'Delayed' },
    { ...toJsonObject(value), changes: [{ propertyName: 'FlightNumber' }] },
  ];
  expect(spoiled.map((one) => complaints(one).length > 0)).toEqual(spoiled.map(() => true));
});

const namesOf = (schema: string): readonly unknown[] =>
  toList(toJsonObject(toJsonObject(toJsonObject(schemas[schema])['properties'])['propertyName'])['enum']);

test('the names of properties that change are those that the service knows, in its order', () => {
  expect(namesOf('StatusPropertyChange')).toEqual(statusProperties.map(({ name }) => name));
  expect(namesOf('SchedulePropertyChange')).toEqual(scheduleProperties.map(({ name }) => name));
});

const exampleNames = ['deleted', 'diverted', 'retimed', 'tookOff'];
const examples = toJsonObject(toJsonObject(contract.document['components'])['examples']);
const exampleOf = (name: string): object => toJsonObject(toJsonObject(examples[name])['value']);

const isValue = (value: unknown): value is PropertyValue => value !== undefined;
const changesOf = (value: object): readonly PropertyChange[] =>
  toList(toJsonObject(value)['changes']).map((one) => {
    const { propertyName, previousValue } = toJsonObject(one);
    return { propertyName: String(propertyName), ...(isValue(previousValue) && { previousValue }) };
  });

describe('the examples of events', () => {
  test('are as events are', () => {
    expect(exampleNames.flatMap((name) => complaints(exampleOf(name)))).toEqual([]);
  });

  test('tell changes that lead back to what can have been before', () => {
    const before = ['diverted', 'retimed', 'tookOff'].map((name) => {
      const value = exampleOf(name);
      return undoChanges(value, changesOf(value));
    });
    expect(before.flatMap((value) => complaints(omitEmpty(value)))).toEqual([]);
    expect(before.map((value) => getValue(value, 'Arrival.Airport.Iata'))).toEqual(['JFK', 'JFK', 'JFK']);
  });
});

type Told<Value> = Value extends readonly (infer Item)[]
  ? readonly Told<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Told<Value[Name]> }
    : Value;
type Body<Wire> = Told<Omit<Wire, 'messageId' | 'messageTimestamp' | 'position' | 'alertId'>>;

/** The compiler holds the types that follow from the document against those that events are made by, both ways. */
const both = {
  status: [
    (body: StatusEventBody): Body<WireStatusEvent> => body,
    (body: Body<WireStatusEvent>): StatusEventBody => body,
  ],
  schedule: [
    (body: ScheduleEventBody): Body<WireScheduleEvent> => body,
    (body: Body<WireScheduleEvent>): ScheduleEventBody => body,
  ],
} as const;

test('the types of the document are those that events are made by', () => {
  expect([both.status.length, both.schedule.length]).toEqual([2, 2]);
});
