export const MID = '2026-06-01T12:00:00Z';
export const LATER = '2036-06-01T12:00:00Z';
export const EARLIER = '2026-05-31T12:00:00Z';

/** Ten years ahead, back, and a day before the start. */
export const clockJumps = [MID, LATER, MID, EARLIER, MID];
