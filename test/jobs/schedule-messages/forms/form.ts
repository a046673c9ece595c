import type { FormClock, FormEffect } from '../form-world.ts';

/** Where a form was seen. */
export type FormSource = 'manual' | 'parser' | 'operator telegram';

/**
 * A message in a form that senders use, and its right result over the base schedule: XX1nn flies ORY-CMN each day in local time, XX2nn SIN-BKK-HKG,
 * XX4nn ORY-CMN on Mondays, and YY3nn CDG-OUD in UTC, all from 1 December 2026 to 31 January 2027. XX8nn and YY8nn do not exist.
 */
export type Form = {
  readonly title: string;
  readonly source: FormSource;
  readonly message: readonly string[];
  readonly clock?: FormClock;
} & Partial<FormEffect>;

const reference = '25NOV00001E001';

/** Writes an ASM with its lines from the action on; each form has its own flights, so the reference does not matter. */
export const asm = (...lines: readonly string[]): readonly string[] => ['ASM', 'LT', reference, ...lines];
export const asmUtc = (...lines: readonly string[]): readonly string[] => ['ASM', 'UTC', reference, ...lines];
export const ssm = (...lines: readonly string[]): readonly string[] => ['SSM', 'LT', reference, ...lines];
