import type { ScheduleLeg, SegmentData } from '#domain/schedule/schedule.ts';

/** Consecutive legs and all segment data of their itinerary. */
export type LegRun = { readonly legs: readonly ScheduleLeg[]; readonly data: readonly SegmentData[] };

export const firstLegOf = ({ legs }: LegRun): ScheduleLeg => {
  const [first] = legs;
  if (first === undefined) throw new Error('a run has a leg');
  return first;
};

export const lastLegOf = ({ legs }: LegRun): ScheduleLeg => {
  const last = legs.at(-1);
  if (last === undefined) throw new Error('a run has a leg');
  return last;
};

/** Lists the most specific texts of a data element; without a station is less specific than without a station number. */
export const listTexts = (run: LegRun, element: number): readonly string[] => {
  const [board, off] = [firstLegOf(run), lastLegOf(run)];
  const byWildcards = new Map<number, string[]>();
  for (const { dei, boardStation, offStation, boardIndex, offIndex, data } of run.data) {
    if (dei !== element) continue;
    if (boardStation !== '' && boardStation !== board.departure.station) continue;
    if (offStation !== '' && offStation !== off.arrival.station) continue;
    if (boardIndex >= 0 && boardIndex !== board.sequence - 1) continue;
    if (offIndex >= 0 && offIndex !== off.sequence) continue;
    const open = 2 * Number(boardStation === '') + 2 * Number(offStation === '') + Number(boardIndex < 0);
    byWildcards.set(open, [...(byWildcards.get(open) ?? []), data]);
  }
  return byWildcards.get(Math.min(...byWildcards.keys())) ?? [];
};

export const findText = (run: LegRun, element: number): string | undefined => listTexts(run, element)[0];

export const splitLegs = ({ legs, data }: LegRun): readonly LegRun[] => legs.map((leg) => ({ legs: [leg], data }));
