import { describe, expect, test } from 'vitest';
import {
  diffProperties,
  type PropertyChange,
  scheduleProperties,
  statusProperties,
} from '../../../src/domain/events/event-properties.ts';
import {
  buildScheduleEvent,
  type PreviousSchedule,
  buildStatusEvent,
} from '../../../src/domain/events/event-builder.ts';
import type { ScheduleContent, StatusContent } from '../../../src/domain/events/event-content.ts';
import { createRandomNumbers, type Random } from '../status/random-messages.ts';
import { fullScheduleContent, fullStatusContent } from './event-contents.ts';
import { differentValue, undoChanges, getValue, omitEmpty, withValues } from './edit-content.ts';

const SEEDS = 500;

/** Creates a body in which some properties are absent and some have another value; the others equal the original. */
const randomBody = <Body extends object>(whole: Body, names: readonly string[], random: Random): Body => {
  // Sometimes all, sometimes a few: most messages change little.
  const odds = [2, 8, 60][random(3)] ?? 2;
  return withValues(
    whole,
    names.flatMap((name) => {
      const draw = random(odds * 2);
      if (draw > 1) return [];
      return [[name, draw === 0 ? undefined : differentValue(getValue(whole, name))] as const];
    }),
  );
};

describe.each([
  ['schedule', fullScheduleContent, scheduleProperties],
  ['status', fullStatusContent, statusProperties],
] as const)('the changes of a %s event', (_, whole, properties) => {
  const names = properties.map(({ name }) => name);

  test(`the changes applied in reverse to the new content give the old content, seeds 1 to ${SEEDS}`, () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const random = createRandomNumbers(seed);
      const before = randomBody<object>(whole, names, random);
      const after = randomBody<object>(whole, names, random);
      const changes: readonly PropertyChange[] = diffProperties<string>(properties, before, after);
      expect(omitEmpty(undoChanges(after, changes)), `seed ${seed}`).toEqual(omitEmpty(before));
      const differing = names.filter(
        (name) => JSON.stringify(getValue(before, name)) !== JSON.stringify(getValue(after, name)),
      );
      expect(
        changes.map(({ propertyName }) => propertyName),
        `seed ${seed}`,
      ).toEqual(differing);
    }
  });
});

const scheduleAfter = (before: PreviousSchedule, after: ScheduleContent | undefined): PreviousSchedule => {
  if (after) return { kind: 'in-force', content: after };
  return before.kind === 'in-force' ? { kind: 'deleted', content: before.content } : before;
};

test(`the versions of a flight count its events from 1 without a gap, and consecutive events are consistent, seeds 1 to ${SEEDS}`, () => {
  const names = scheduleProperties.map(({ name }) => name);
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = createRandomNumbers(seed);
    let previous: PreviousSchedule = { kind: 'never' };
    const states: string[] = [];
    const versions: number[] = [];
    for (let load = 0; load < 12; load += 1) {
      const after: ScheduleContent | undefined =
        random(3) === 0 ? undefined : randomBody(fullScheduleContent, random(2) === 0 ? [] : names, random);
      const event = buildScheduleEvent(previous, after, versions.at(-1) ?? 0);
      if (event) {
        versions.push(event.version);
        states.push(event.state);
      }
      previous = scheduleAfter(previous, after);
    }
    expect(versions, `seed ${seed}`).toEqual(versions.map((_, index) => index + 1));
    // The events of a flight are NEW, updates, DELETED; each further sequence begins with REINSTATED.
    expect(states.join(' '), `seed ${seed}`).toMatch(/^(NEW( UPDATED)*( DELETED REINSTATED( UPDATED)*)*( DELETED)?)?$/);
  }
});

test(`a status has one version for each change and none for a message without changes, seeds 1 to ${SEEDS}`, () => {
  const names = statusProperties.map(({ name }) => name);
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = createRandomNumbers(seed);
    let content: StatusContent | undefined;
    let version = 0;
    let changed = 0;
    for (let message = 0; message < 8; message += 1) {
      const before = content;
      const next: StatusContent =
        before && random(3) === 0 ? structuredClone(before) : randomBody(fullStatusContent, names, random);
      if (JSON.stringify(omitEmpty(before)) !== JSON.stringify(omitEmpty(next))) changed += 1;
      version = buildStatusEvent(before, next, version)?.version ?? version;
      content = next;
    }
    expect(version, `seed ${seed}`).toBe(changed);
  }
});
