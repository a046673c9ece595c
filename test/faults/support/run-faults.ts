/*
 * `make faults`: runs the fault tests in full length, then prints their figures as one table. ARGS are passed to vitest, e.g.
 * `make faults ARGS='test/faults/readers/pull.test.ts'` or `make faults ARGS='-t webhook'`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultNames } from './fault-table.ts';
import { faultTestFiles, fullLengthVariables } from './full-length-variables.ts';
import type { FaultFigure } from './report-fault.ts';

/** Renders the figures of all tests as one table, by fault, then in the order reported. The last figure of a test counts. */
const renderFaultTable = (lines: readonly FaultFigure[]): string => {
  const last = new Map(lines.map((line) => [`${line.fault} ${line.part}`, line]));
  const rows = [...last.values()]
    .toSorted((one, other) => one.fault - other.fault)
    .map(({ fault, part, figure, held }) => [String(fault), faultNames[fault], part, figure, held ? 'yes' : 'NO']);
  return [['#', 'fault', 'part', 'figure', 'held'], ['-', '-', '-', '-', '-'], ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`)
    .join('\n');
};

const folder = mkdtempSync(join(tmpdir(), 'flightdata-faults-'));
const reportFile = join(folder, 'report');
const args = process.argv.slice(2);
const hasFiles = args.some((arg) => arg.startsWith('test/'));
// The timeout of a test in full length that sets none, milliseconds.
const testTimeout = '--testTimeout=3600000';
// One file at a time: tests that run side by side disturb each other's measurements.
const vitest = spawn(
  'vitest',
  ['run', '--no-file-parallelism', testTimeout, ...(hasFiles ? [] : faultTestFiles), ...args],
  {
    stdio: 'inherit',
    env: { ...fullLengthVariables, ...process.env, LONG_TESTS: '1', FAULTS_REPORT: reportFile },
  },
);
const [code] = await once(vitest, 'exit');
const lines = existsSync(reportFile)
  ? readFileSync(reportFile, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text): FaultFigure => JSON.parse(text))
  : [];
rmSync(folder, { recursive: true });
const exceeded = lines.filter(({ held }) => !held).length;
process.stdout.write(`\n${renderFaultTable(lines)}\n\n${lines.length} figures, ${exceeded} beyond their bound\n`);
process.exitCode = exceeded > 0 ? 1 : Number(code ?? 1);
