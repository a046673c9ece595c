import { faultNames } from './fault-names.ts';
import type { FaultFigure } from './report-fault.ts';

const cells = ({ fault, part, figure, bound, held }: FaultFigure): readonly string[] =>
  [String(fault), faultNames[fault], part, figure, bound, held ? 'yes' : 'NO'].map((cell) => cell.replaceAll('|', '/'));

/** Renders the figures of all tests as one table, by fault, then in the order reported. The last figure of a test counts. */
export const renderFaultTable = (lines: readonly FaultFigure[]): string => {
  const last = new Map(lines.map((line) => [`${line.fault} ${line.part}`, line]));
  const rows = [
    ['#', 'fault', 'part', 'figure', 'bound', 'held'],
    ['-', '-', '-', '-', '-', '-'],
    ...[...last.values()].toSorted((one, other) => one.fault - other.fault).map(cells),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
};
