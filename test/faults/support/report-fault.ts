import { appendFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { faultNames, type FaultNumber } from './fault-table.ts';

/** Whether the fault tests run in full length, on a machine without other work: only then times are asserted. */
export const assertsTimes = process.env['FAULTS_REPORT'] !== undefined;

export type FaultFigure = {
  readonly fault: FaultNumber;
  readonly part: string;
  readonly figure: string;
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
 * Reports the figures of a fault test, e.g. `{ rounds: 20, wrong: 0 }`; a part distinguishes several tests of one fault. Call it before
 * the assertions: the figures are printed at once, and whether the bounds in docs/explanation/fault-tests.md held is the outcome of the test.
 * `make faults` collects the rows of all files through the file FAULTS_REPORT.
 */
export const reportFault = (fault: FaultNumber, figure: string | object, part = ''): void => {
  const text = asText(figure);
  console.log(`fault ${fault}${part && ` (${part})`}, ${faultNames[fault]}: ${text}`);
  const reportFile = process.env['FAULTS_REPORT'];
  onTestFinished(({ task }) => {
    if (reportFile === undefined) return;
    const line: FaultFigure = { fault, part, figure: text, held: task.result?.state === 'pass' };
    appendFileSync(reportFile, `${JSON.stringify(line)}\n`);
  });
};
