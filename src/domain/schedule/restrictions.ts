import { dataElements as dei } from './data-elements.ts';
import type { Restriction, ScheduleLeg, SegmentData } from './schedule.ts';
import { toPointPair, findText, type PointPair } from './segment-data.ts';

type Traffic = Pick<Restriction, 'passenger' | 'cargo' | 'mail'>;

const all: Traffic = { passenger: true, cargo: true, mail: true };

const byTraffic: readonly (readonly [number, Traffic])[] = [
  [dei.passengerRestriction, { passenger: true, cargo: false, mail: false }],
  [dei.cargoAndMailRestriction, { passenger: false, cargo: true, mail: true }],
  [dei.cargoRestriction, { passenger: false, cargo: true, mail: false }],
  [dei.mailRestriction, { passenger: false, cargo: false, mail: true }],
];

/** Without a word on it a restriction holds at both points (elements 710-712 say otherwise). */
const findPoints = (data: readonly SegmentData[], pair: PointPair): Pick<Restriction, 'boardPoint' | 'offPoint'> => {
  const told = (element: number): boolean => findText(data, pair, element) !== undefined;
  if (told(dei.restrictionAtBothPoints)) return { boardPoint: true, offPoint: true };
  const board = told(dei.restrictionAtBoardPoint);
  const off = told(dei.restrictionAtOffPoint);
  return board || off ? { boardPoint: board, offPoint: off } : { boardPoint: true, offPoint: true };
};

/**
 * The traffic restrictions on the segment that some consecutive legs make. Bytes 150-160 belong to the board point: one code for each later
 * station, so the code of a segment stands in the record of its first leg, as many places on as it has further legs. Data elements 170-173,
 * by kind of traffic, speak before it; `Z` there, or nothing, leaves it to element 8.
 */
export const listRestrictions = (
  legs: readonly [ScheduleLeg, ...ScheduleLeg[]],
  data: readonly SegmentData[],
): readonly Restriction[] => {
  const filed = (legs[0].trafficRestrictions[legs.length - 1] ?? '').trim();
  if (filed === '' && data.length === 0) return [];
  const pair = toPointPair(legs);
  const split = byTraffic.flatMap(([element, traffic]) => {
    const code = findText(data, pair, element)?.trim().slice(0, 1) ?? '';
    return code === '' ? [] : [{ code, ...traffic }];
  });
  const whole =
    filed !== '' && filed !== 'Z' ? filed : findText(data, pair, dei.restriction)?.trim().slice(0, 1) || filed;
  const found = split.length > 0 ? split : whole === '' ? [] : [{ code: whole, ...all }];
  const points = findPoints(data, pair);
  return found.map((restriction, index) => ({ number: index + 1, ...restriction, ...points }));
};
