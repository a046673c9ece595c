import type { OracleConnection } from './list-connections.ts';
import type { Instance } from './flights.ts';

/** Dated connections with equal flights, local times, connecting time and MCT record. */
export type Group = readonly [OracleConnection, ...OracleConnection[]];

const numbers = new WeakMap<object, number>();
let last = 0;
const numberOf = (item: object): number => {
  const existing = numbers.get(item);
  if (existing !== undefined) return existing;
  last += 1;
  numbers.set(item, last);
  return last;
};

/** Identifies a flight by its local times, independent of the day. */
export const toShape = ({ flight, departsLocal, arrivesLocal }: Instance): string => {
  const day = Math.floor(departsLocal / 1440);
  return `${numberOf(flight)} ${departsLocal - day * 1440} ${arrivesLocal - day * 1440}`;
};

/** Groups the dated connections of a world, each group in the order of its days. */
export const groupConnections = (connections: readonly OracleConnection[]): readonly Group[] => {
  const groups = new Map<string, [OracleConnection, ...OracleConnection[]]>();
  const inOrder = connections.toSorted((a, b) => a.one.departsLocal - b.one.departsLocal);
  for (const connected of inOrder) {
    const { one, other, judged } = connected;
    const key = [toShape(one), toShape(other), judged.minutes, judged.minimum?.line ?? 0].join('|');
    const group = groups.get(key);
    if (group) group.push(connected);
    else groups.set(key, [connected]);
  }
  return [...groups.values()];
};
