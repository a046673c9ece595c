import { expect, test } from 'vitest';
import { newRoster, type Place } from '../../src/lib/linked-list.ts';
import { newChance } from '../domain/connections/worlds/random/chance.ts';

test('those who come and go are those of a set, in the order of coming', () => {
  const chance = newChance(7);
  const roster = newRoster<number>();
  const oracle = new Set<number>();
  const places = new Map<number, Place<number>>();
  for (let step = 0; step < 5_000; step += 1) {
    if (oracle.size === 0 || chance.int(0, 99) < 55) {
      oracle.add(step);
      places.set(step, roster.add(step));
    } else {
      const gone = [...oracle][chance.int(0, oracle.size - 1)];
      const place = gone === undefined ? undefined : places.get(gone);
      if (gone === undefined || !place) throw new Error('nobody is there');
      oracle.delete(gone);
      roster.leave(place);
      // Who has gone cannot go again.
      roster.leave(place);
    }
    const [oldest] = oracle;
    expect([roster.size(), roster.oldest()]).toEqual([oracle.size, oldest]);
  }
  expect(roster.all()).toEqual([...oracle]);
  for (const place of places.values()) roster.leave(place);
  expect([roster.size(), roster.oldest(), roster.all()]).toEqual([0, undefined, []]);
});

test('who has gone points at nobody who was there', () => {
  const roster = newRoster<string>();
  const [first, second, third] = [roster.add('first'), roster.add('second'), roster.add('third')];
  roster.leave(second);
  expect(second).toEqual({ member: 'second', before: undefined, after: undefined, isTaken: false });
  expect([first.after, third.before]).toEqual([third, first]);
});

test('who comes or goes while all are read changes nothing of what is read', () => {
  const roster = newRoster<number>();
  const places = [1, 2, 3].map((member) => roster.add(member));
  const read: number[] = [];
  for (const member of roster.all()) {
    read.push(member);
    for (const place of places) roster.leave(place);
    roster.add(member + 10);
  }
  expect([read, roster.all()]).toEqual([
    [1, 2, 3],
    [11, 12, 13],
  ]);
});
