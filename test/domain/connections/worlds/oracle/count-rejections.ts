import { listInstances, board, off, type Instance } from './flights.ts';
import { toShape } from './group-connections.ts';
import { getDay, createJudge, isCommercial } from './judge.ts';
import type { World } from './world.ts';

/** Identifies a flight including its UTC times. */
const toTimedShape = (instance: Instance): string => {
  const start = getDay(instance) * 1440;
  return `${toShape(instance)} ${instance.departsUtc - start} ${instance.arrivesUtc - start}`;
};

/** Whether one flight departs within a day of the arrival of the other, at one airport or in one city. */
const areNear = (one: Instance, other: Instance): boolean => {
  const minutes = other.departsUtc - one.arrivesUtc;
  if (minutes < 0 || minutes > 1440) return false;
  const [arrival, departure] = [off(one.flight), board(other.flight)];
  return arrival.iata === departure.iata || (arrival.cityCode !== '' && arrival.cityCode === departure.cityCode);
};

/**
 * Counts pairs of flights that are near each other on some day but connect on no day, by the rule that forbids the first. A pair is counted once for
 * all days with equal times.
 */
export const countRejections = (world: World): Readonly<Record<string, number>> => {
  const judge = createJudge(world);
  const instances = listInstances(world).filter(({ flight }) => isCommercial(flight));
  const byBoard = Map.groupBy(instances, ({ flight }) => board(flight).cityCode || board(flight).iata);
  const pairs = new Map<string, string>();
  for (const one of instances) {
    if (getDay(one) < world.from || getDay(one) >= world.from + world.days) continue;
    const there = off(one.flight).cityCode || off(one.flight).iata;
    for (const other of byBoard.get(there) ?? []) {
      if (!areNear(one, other)) continue;
      const key = `${toTimedShape(one)} | ${toTimedShape(other)} | ${other.departsUtc - one.arrivesUtc}`;
      const { forbiddenBy = '' } = judge(one, other);
      if (forbiddenBy === '' || !pairs.has(key)) pairs.set(key, forbiddenBy);
    }
  }
  const counts: Record<string, number> = {};
  for (const rule of pairs.values()) if (rule !== '') counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
};
