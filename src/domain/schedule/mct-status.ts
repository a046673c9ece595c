import type { LegEnd } from './schedule.ts';

/** What counts at the board and the off point of a flight for minimum connecting times. */
export type MctStatuses = { readonly board: 'D' | 'I'; readonly off: 'D' | 'I' };

const statuses = /^([DI])\/?([DI])?$/;

/**
 * Reads data element 220: one letter is the status of both points, two are those of the board and the off point. Undefined for anything
 * else, and for no text.
 */
export const readMctStatuses = (text: string | undefined): MctStatuses | undefined => {
  const match = statuses.exec(text?.trim() ?? '');
  if (match === null) return undefined;
  const status = (letter: string | undefined): Exclude<LegEnd['mctStatus'], ''> => (letter === 'D' ? 'D' : 'I');
  return { board: status(match[1]), off: status(match[2] ?? match[1]) };
};
