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
  12: 'oversized, compressed and endless responses of receivers',
  13: 'broken TLS of receivers',
  14: 'receivers that return 410 or Retry-After',
  15: 'receivers at forbidden addresses',
  16: 'names that change their address',
  17: 'secret rotation under load',
  18: 'replay of any position',
  19: 'streams cut at any byte',
  20: 'the clock jumps across a sunset',
  21: 'malformed schedules',
  22: 'schedules read differently by others',
  23: 'random requests',
  24: 'resources of another account',
  25: 'slow clients',
  26: 'huge and odd requests',
  27: 'key guessing',
  28: 'SQL injection',
  30: 'lists walked while they change',
  31: 'forged cursors',
  32: 'clock changes and the date line',
  33: 'stale time zone rules',
  34: 'status messages in any order',
  35: 'alerts matched against their rules',
  36: 'connections built against their rules',
  37: 'half an hour under load',
  38: 'versions that are removed or unknown',
  39: 'pages of other origins',
  40: 'secrets at rest and in logs',
  41: 'servers stopped under load',
  42: 'replicas that lag or are down',
  43: 'an upgrade under load',
} as const;

export type FaultNumber = keyof typeof faultNames;

/** Renders the figures of all tests as one table, by fault, then in the order reported. The last figure of a test counts. */
export const renderFaultTable = (lines: readonly FaultFigure[]): string => {
  const last = new Map(lines.map((line) => [`${line.fault} ${line.part}`, line]));
  const rows = [...last.values()]
    .toSorted((one, other) => one.fault - other.fault)
    .map(({ fault, part, figure, held }) => [String(fault), faultNames[fault], part, figure, held ? 'yes' : 'NO']);
  return [['#', 'fault', 'part', 'figure', 'held'], ['-', '-', '-', '-', '-'], ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`)
    .join('\n');
};
