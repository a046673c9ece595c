import { appendFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { faultNames, type FaultNumber } from './fault-table.ts';

/** The result of a fault test: one row of the table that `make faults` prints. */
export type FaultResult = {
  /** The number in docs/faults.md and in fault-table.ts. */
  readonly fault: FaultNumber;
  /** Distinguishes several tests of one fault, e.g. `stream`, `TLS 1.2`. */
  readonly part?: string;
  /** The measurement: a text, or numbers by name, e.g. `{ rounds: 20, wrong: 0 }`. */
  readonly figure: string | object;
  /** The bound that the test asserts, e.g. `wrong 0, outage below 5 s`. */
  readonly bound: string;
};

/** Whether the fault tests run in full length, on a machine without other work: only then times are asserted. */
export const assertsTimes = process.env['FAULTS_REPORT'] !== undefined;

/** A row of the table. */
export type FaultFigure = {
  readonly fault: FaultNumber;
  readonly part: string;
  readonly figure: string;
  readonly bound: string;
  readonly held: boolean;
};

/** Formats figures as text: `rounds 20, wrong 0`. */
const asText = (figure: string | object): string =>
  typeof figure === 'string'
    ? figure
    : Object.entries(figure)
        .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
        .join(', ');

/**
 * Reports the figures of a fault test. Call it before the assertions: the figures are printed at once, and whether the bound held
 * is the outcome of the test. `make faults` collects the rows of all files through the file FAULTS_REPORT. Full lengths are in
 * full-length-variables.ts.
 */
export const reportFault = ({ fault, part = '', figure, bound }: FaultResult): void => {
  const text = asText(figure);
  console.log(`fault ${fault}${part && ` (${part})`}, ${faultNames[fault]}: ${text} [${bound}]`);
  const reportFile = process.env['FAULTS_REPORT'];
  onTestFinished(({ task }) => {
    if (reportFile === undefined) return;
    const line: FaultFigure = { fault, part, figure: text, bound, held: task.result?.state === 'pass' };
    appendFileSync(reportFile, `${JSON.stringify(line)}\n`);
  });
};
