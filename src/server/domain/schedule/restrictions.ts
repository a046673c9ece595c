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

/** A restriction holds at both points, unless elements 710-712 are filed. */
const findPoints = (data: readonly SegmentData[], pair: PointPair): Pick<Restriction, 'boardPoint' | 'offPoint'> => {
  const isFiled = (element: number): boolean => findText(data, pair, element) !== undefined;
  if (isFiled(dei.restrictionAtBothPoints)) return { boardPoint: true, offPoint: true };
  const board = isFiled(dei.restrictionAtBoardPoint);
  const off = isFiled(dei.restrictionAtOffPoint);
  return board || off ? { boardPoint: board, offPoint: off } : { boardPoint: true, offPoint: true };
};

/**
 * Lists the traffic restrictions of a segment of consecutive legs. Bytes 150-160 belong to the board point, one code for each later station: the code
 * of a segment is in the record of its first leg, at the number of its further legs. Data elements 170-173, by kind of traffic, take precedence; `Z`
 * there, or nothing, defers to element 8.
 */
export const listRestrictions = (
  legs: readonly [ScheduleLeg, ...ScheduleLeg[]],
  data: readonly SegmentData[],
): readonly Restriction[] => {
  const filed = (legs[0].trafficRestrictions[legs.length - 1] ?? '').trim();
  if (filed === '' && data.length === 0) return [];
  const pair = toPointPair(legs);
  const byKind = byTraffic.flatMap(([element, traffic]) => {
    const code = findText(data, pair, element)?.trim().slice(0, 1) ?? '';
    return code === '' ? [] : [{ code, ...traffic }];
  });
  const whole =
    filed !== '' && filed !== 'Z' ? filed : findText(data, pair, dei.restriction)?.trim().slice(0, 1) || filed;
  const restrictions = byKind.length > 0 ? byKind : whole === '' ? [] : [{ code: whole, ...all }];
  const points = findPoints(data, pair);
  return restrictions.map((restriction, index) => ({ number: index + 1, ...restriction, ...points }));
};
