import { appendFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { faultNames, type FaultNumber } from './fault-names.ts';

/** What a test of a fault measured: one line in the table that `make faults` ends with. */
export type FaultResult = {
  /** Its number in docs/faults.md and in fault-names.ts. */
  readonly fault: FaultNumber;
  /** What sets this line apart where several tests show one fault, e.g. `stream`, `TLS 1.2`. */
  readonly part?: string;
  /** What was measured: a text, or numbers by name, e.g. `{ rounds: 20, wrong: 0 }`. */
  readonly figure: string | object;
  /** What the test then asserts of it, in words, e.g. `wrong 0, outage below 5 s`. */
  readonly bound: string;
};

/** A line of the table. */
export type FaultFigure = {
  readonly fault: FaultNumber;
  readonly part: string;
  readonly figure: string;
  readonly bound: string;
  readonly held: boolean;
};

/** Figures as a reader has them: `rounds 20, wrong 0`. */
const asText = (figure: string | object): string =>
  typeof figure === 'string'
    ? figure
    : Object.entries(figure)
        .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
        .join(', ');

/**
 * Tells what a test of a fault measured. Call it in the test itself, before the assertions: the figure is printed at once, and
 * whether the bound held is the outcome of that test, so nothing is judged twice. `make faults` has the lines of all files in one
 * table; FAULTS_TOLD names the file where they are kept for it. A variable that makes a test longer has its full value in full-length.ts.
 */
export const reportFault = ({ fault, part = '', figure, bound }: FaultResult): void => {
  const text = asText(figure);
  console.log(`fault ${fault}${part && ` (${part})`}, ${faultNames[fault]}: ${text} [${bound}]`);
  const kept = process.env['FAULTS_TOLD'];
  onTestFinished(({ task }) => {
    if (kept === undefined) return;
    const line: FaultFigure = { fault, part, figure: text, bound, held: task.result?.state === 'pass' };
    appendFileSync(kept, `${JSON.stringify(line)}\n`);
  });
};
