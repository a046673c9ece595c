import { listInstances, board, off, type Instance } from './flights.ts';
import { getDay, createJudge, isCommercial, type Judgement } from './judge.ts';
import type { World } from './world.ts';

/** A pair of flights on a day that connects. */
export type OracleConnection = { readonly one: Instance; readonly other: Instance; readonly judged: Judgement };

/** Groups by city, or by airport code without a city. */
const placeOf = ({ cityCode, iata }: { readonly cityCode: string; readonly iata: string }): string => cityCode || iata;

/** Lists every connection of a world: each flight on each day with each that departs from the same city within a day of its arrival. */
export const listConnections = (world: World): readonly OracleConnection[] => {
  const instances = listInstances(world);
  const judge = createJudge(world);
  const taking = instances.filter(({ flight }) => isCommercial(flight));
  const leaving = Map.groupBy(taking, ({ flight }) => placeOf(board(flight)));
  const connections: OracleConnection[] = [];
  for (const one of taking) {
    const day = getDay(one);
    if (day < world.from || day >= world.from + world.days) continue;
    for (const other of leaving.get(placeOf(off(one.flight))) ?? []) {
      const minutes = other.departsUtc - one.arrivesUtc;
      // Pairs outside the time limits, the majority, are not judged.
      if (minutes < 0 || minutes > 1440) continue;
      const judged = judge(one, other);
      if (judged.forbiddenBy === undefined) connections.push({ one, other, judged });
    }
  }
  return connections;
};
