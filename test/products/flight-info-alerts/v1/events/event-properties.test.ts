import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildScheduleEvent, buildStatusEvent } from '#products/flight-info-alerts/v1/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '#products/flight-info-alerts/v1/events/event-content.ts';
import {
  diffProperties,
  getChangeKind,
  listProperties,
} from '#products/flight-info-alerts/v1/events/event-properties.ts';
import { scheduleProperties, statusProperties } from '#products/flight-info-alerts/v1/events/event-properties.ts';
import { createRandomNumbers, type Random } from '#test/domain/status/random-messages.ts';
import { fullScheduleContent, fullStatusContent } from './event-contents.ts';
import { differentValue, getValue, listNames, omitEmpty, undoChanges, withValue, withValues } from './edit-content.ts';

const properties = listProperties(['State', 'Departure.Gate', 'Departure.OutGate.UTC', 'Flights']);

const between = (before: object, after: object) => diffProperties(properties, before, after);

test.each([
  ['absent and undefined', {}, { state: undefined }],
  ['absent and null', {}, { state: null }],
  ['an absent part and an empty one', {}, { departure: {} }],
  ['a part that is null and an empty one', { departure: null }, { departure: {} }],
  ['empty lists', { flights: [] }, { flights: [] }],
  ['items with their members in another order', { flights: [{ a: 1, b: 2 }] }, { flights: [{ b: 2, a: 1 }] }],
  ['items with members that are undefined', { flights: [{ a: 1, b: undefined }] }, { flights: [{ a: 1 }] }],
  ['members that no property names', { note: 1 }, { note: 2 }],
])('%s are equal', (_, before, after) => {
  expect(between(before, after)).toEqual([]);
});

test.each([
  ['an absent list and an empty one', undefined, []],
  ['a list in another order', [1, 2], [2, 1]],
  ['a longer list', [1], [1, 2]],
  ['items with a member less', [{ a: 1, b: 2 }], [{ a: 1 }]],
  ['items with other members', [{ a: 1 }], [{ b: 1 }]],
  ['a list and an item', [[1]], [{ 0: 1 }]],
  ['a text and a number', '1', 1],
  ['undefined and zero', undefined, 0],
  ['undefined and false', undefined, false],
  ['undefined and an empty text', undefined, ''],
  ['false and undefined', false, undefined],
])('%s are not equal', (_, before, after) => {
  const previous = before !== undefined && { previousValue: before };
  expect(between({ flights: before }, { flights: after })).toStrictEqual([{ propertyName: 'Flights', ...previous }]);
});

/** The rows of properties in the part of the page of change events under a heading. */
const readDocumentedRows = (heading: string): readonly string[] => {
  const page = readFileSync(new URL('../../../../../docs/reference/change-events.md', import.meta.url), 'utf8');
  const part = page.split(/^### /m).find((text) => text.startsWith(heading)) ?? '';
  return part.split('\n').filter((line) => line.startsWith('| `'));
};

test('the reference of change events lists the names of all properties, and their filters', () => {
  const filterOf = (name: (typeof statusProperties)[number]['name']): string => {
    const filter = getChangeKind(name);
    return filter === undefined ? '' : ` \`${filter}\``;
  };
  expect(readDocumentedRows('Properties of schedule events')).toEqual(
    scheduleProperties.map(({ name }) => `| \`${name}\` |`),
  );
  const rows = statusProperties.map(({ name }) => `| \`${name}\` |${filterOf(name)} |`);
  expect(readDocumentedRows('Properties of status events')).toEqual(rows);
});

/** Creates a body in which some properties are absent and some have another value; the others equal the original. */
const createBody = <Body extends object>(whole: Body, names: readonly string[], random: Random): Body => {
  // Sometimes all, sometimes a few: most messages change little.
  const odds = [2, 8, 60][random(3)] ?? 2;
  const changes = names.flatMap((name) => {
    const draw = random(odds * 2);
    return draw > 1 ? [] : [[name, draw === 0 ? undefined : differentValue(getValue(whole, name))] as const];
  });
  return withValues(whole, changes);
};

const SEEDS = 60;

describe.each([
  {
    kind: 'schedule',
    whole: fullScheduleContent,
    listed: scheduleProperties,
    identity: ['ServiceSuffix', 'FlightNumber', 'ScheduleInstanceKey'],
    build: (content: ScheduleContent, after: ScheduleContent) =>
      buildScheduleEvent({ kind: 'in-force', content }, after, 6),
  },
  {
    kind: 'status',
    whole: fullStatusContent,
    listed: statusProperties,
    identity: ['FlightNumber', 'ServiceSuffix', 'OriginationDate.Local'],
    build: (before: StatusContent, after: StatusContent) => buildStatusEvent(before, after, 6),
  },
])('a $kind event', ({ kind, whole, listed, identity, build }) => {
  const names = listed.map(({ name }) => name);
  // The builder of a kind takes the content of that kind.
  const buildEvent = build as (before: object, after: object) => ReturnType<typeof build>;

  test('has a name for every property except the identity of the flight, in the order of the document', () => {
    expect(names).toEqual(listNames(whole).filter((name) => !identity.includes(name)));
  });

  test.each(names)('has %s as the only change when it changes alone, with its previous value', (name) => {
    const previousValue = getValue(whole, name);
    const after = withValue<object>(whole, name, differentValue(previousValue));
    expect(buildEvent(whole, after)).toEqual({
      kind,
      ...(kind === 'schedule' && { state: 'UPDATED' }),
      content: after,
      version: 7,
      changes: [{ propertyName: name, previousValue }],
    });
    const without = withValue<object>(whole, name, undefined);
    expect(buildEvent(whole, without)?.changes).toStrictEqual([{ propertyName: name, previousValue }]);
    expect(buildEvent(without, whole)?.changes).toStrictEqual([{ propertyName: name }]);
  });

  test(`has the changes that lead back to the previous content, seeds 1 to ${SEEDS}`, () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const random = createRandomNumbers(seed);
      const [before, after] = [createBody<object>(whole, names, random), createBody<object>(whole, names, random)];
      const changes = diffProperties<string>(listed, before, after);
      expect(omitEmpty(undoChanges(after, changes)), `seed ${seed}`).toEqual(omitEmpty(before));
      const isChanged = (name: string) =>
        JSON.stringify(getValue(before, name)) !== JSON.stringify(getValue(after, name));
      const changed = changes.map(({ propertyName }) => propertyName);
      expect(changed, `seed ${seed}`).toEqual(names.filter(isChanged));
    }
  });
});
