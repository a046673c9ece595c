import type { FaultFigure } from './report-fault.ts';

/** The injected faults, by their numbers in docs/faults.md. */
export const faultNames = {
  1: 'kill -9 during an import of schedules',
  2: 'kill -9 in the middle of a status batch',
  3: 'kill -9 in delivery',
  4: 'kill -9 of the sequencer and the distributor',
  5: 'two processes at once',
  6: 'PostgreSQL stops and starts under load',
  7: 'PostgreSQL is full or hangs',
  8: 'the disk is full',
  9: 'receivers that are slow, hang or trickle',
  10: 'a large backlog beside small ones',
  11: 'receivers that redirect',
  12: 'oversized, compressed and endless answers of receivers',
  13: 'broken TLS of receivers',
  14: 'receivers that ask to wait or to stop',
  15: 'receivers at addresses that must not be reached',
  16: 'names that change their address',
  17: 'rotation of secrets under load',
  18: 'replay of any position',
  19: 'streams cut at any byte',
  20: 'the clock jumps across a sunset',
  21: 'malformed schedules',
  22: 'schedules read differently by others',
  23: 'requests by chance',
  24: 'what belongs to another account',
  25: 'slow clients',
  26: 'huge and odd requests',
  27: 'guessing of keys',
  28: 'injections into SQL',
  29: 'injections into the log',
  30: 'lists walked while they change',
  31: 'cursors that were tampered with',
  32: 'clock changes and the date line',
  33: 'stale rules of time zones',
  34: 'status messages in any order',
  35: 'alerts matched otherwise than said',
  36: 'connections built otherwise than said',
  37: 'half an hour under load',
  38: 'versions that are removed or unknown',
  39: 'pages of other origins',
  40: 'secrets at rest and in logs',
  41: 'servers that are asked to end under load',
  42: 'replicas that lag or are away',
  43: 'an upgrade while servers answer',
} as const;

export type FaultNumber = keyof typeof faultNames;

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
