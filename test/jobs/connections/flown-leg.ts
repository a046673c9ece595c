import { buildLeg, type RecordBytes } from '#test/feeds/ssim/build-file.ts';

const variations = new Map(
  Object.entries({ LHR: '+0100', JFK: '-0400', LAX: '-0700', LIS: '+0100', OPO: '+0100', CDG: '+0200' }),
);

/** Returns a leg of XX, e.g. `102 JFK 1600 LAX 1900`: local times, by default every day of June 2026. */
export const buildFlownLeg = (text: string, bytes: RecordBytes = {}): string => {
  const [number = '', board = '', departs = '', off = '', arrives = ''] = text.split(' ');
  const departure = { 37: board, 40: departs, 44: departs, 48: variations.get(board) ?? '' };
  const arrival = { 55: off, 58: arrives, 62: arrives, 66: variations.get(off) ?? '' };
  return buildLeg({ 6: number.padStart(4, '0'), ...departure, ...arrival, ...bytes });
};
