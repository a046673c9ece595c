import { listInstances, board, off, type Instance } from './flights.ts';
import { getDay, createJudge, isCommercial, type Judgement } from './judge.ts';
import type { World } from './world.ts';

/** A pair of flights on a day that is a connection. */
export type OracleConnection = { readonly one: Instance; readonly other: Instance; readonly judged: Judgement };

/** Groups flights by the city of a point, or by its code where it has no city. */
const placeOf = ({ cityCode, iata }: { readonly cityCode: string; readonly iata: string }): string => cityCode || iata;

/** Every connection of a world, in no order: each flight on each day with each that leaves the same place within a day of its arrival. */
export const listConnections = (world: World): readonly OracleConnection[] => {
  const instances = listInstances(world);
  const judge = createJudge(world);
  const taking = instances.filter(({ flight }) => isCommercial(flight));
  const leaving = Map.groupBy(taking, ({ flight }) => placeOf(board(flight)));
  const found: OracleConnection[] = [];
  for (const one of taking) {
    const day = getDay(one);
    if (day < world.from || day >= world.from + world.days) continue;
    for (const other of leaving.get(placeOf(off(one.flight))) ?? []) {
      const minutes = other.departsUtc - one.arrivesUtc;
      // What is forbidden by its time anyway is not judged: it is most of what there is.
      if (minutes < 0 || minutes > 1440) continue;
      const judged = judge(one, other);
      if (judged.forbiddenBy === undefined) found.push({ one, other, judged });
    }
  }
  return found;
};
