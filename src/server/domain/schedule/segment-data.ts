import type { Company, ScheduleLeg, SegmentData } from './schedule.ts';

/** A board and off point of an itinerary. Indexes are 0-based station numbers of the whole flight. */
export type PointPair = {
  readonly boardStation: string;
  readonly offStation: string;
  readonly boardIndex: number;
  readonly offIndex: number;
};

/** Returns the board and off point of consecutive legs. Station numbers follow from leg sequence numbers, so a single leg keeps its own. */
export const toPointPair = (legs: readonly [ScheduleLeg, ...ScheduleLeg[]]): PointPair => {
  const first = legs[0];
  const last = legs[legs.length - 1] ?? first;
  return {
    boardStation: first.departure.station,
    offStation: last.arrival.station,
    boardIndex: first.sequence - 1,
    offIndex: last.sequence,
  };
};

/** Returns whether segment data applies to a pair; unset fields match anything. */
export const appliesTo = (data: SegmentData, pair: PointPair): boolean =>
  (data.boardStation === '' || data.boardStation === pair.boardStation) &&
  (data.offStation === '' || data.offStation === pair.offStation) &&
  (data.boardIndex === -1 || data.boardIndex === pair.boardIndex) &&
  (data.offIndex === -1 || data.offIndex === pair.offIndex);

const countWildcards = ({ boardStation, offStation, boardIndex }: SegmentData): number =>
  (boardStation === '' ? 2 : 0) + (offStation === '' ? 2 : 0) + (boardIndex === -1 ? 1 : 0);

/** Lists the texts of a data element for a pair, in file order: only the most specific ones, which override the others. */
export const listTexts = (all: readonly SegmentData[], pair: PointPair, dei: number): readonly string[] => {
  if (all.length === 0) return [];
  const matching = all.filter((data) => data.dei === dei && appliesTo(data, pair));
  const fewest = matching.reduce((low, data) => Math.min(low, countWildcards(data)), Infinity);
  return matching.filter((data) => countWildcards(data) === fewest).map((data) => data.data);
};

/** Returns the text of a data element for a pair; undefined when there is none. */
export const findText = (all: readonly SegmentData[], pair: PointPair, dei: number): string | undefined =>
  listTexts(all, pair, dei)[0];

/** Parses a company of a data element: `XX`, `XX /NAME` or `/NAME`. */
export const parseCompany = (text: string): Company => {
  const slash = text.indexOf('/');
  if (slash === -1) return { code: text.trim(), name: '' };
  return { code: text.slice(0, slash).trim(), name: text.slice(slash + 1).trim() };
};
