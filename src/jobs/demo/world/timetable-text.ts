import type { Weekday } from '../../../domain/time/dates.ts';
import { daySet, type DaySet } from '../../../domain/time/period.ts';

const week: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/** Reads `135` as Monday, Wednesday and Friday. */
export const daysFromText = (text: string): DaySet => daySet(...week.filter((day) => text.includes(String(day))));

/** Reads `HHMM` as minutes after midnight. */
export const minutesFromText = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(2));
