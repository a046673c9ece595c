import { readdirSync, readFileSync } from 'node:fs';

/** The resource use of a process (Linux only). */
export type ProcessUsage = {
  /** Resident memory, MB (10^6 bytes). */
  readonly megabytes: number;
  /** Processor time so far. */
  readonly processorSeconds: number;
  /** Open files and connections. */
  readonly files: number;
};

export const readProcessUsage = (pid: number): ProcessUsage => {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return {
    megabytes: (Number(kilobytes) * 1024) / 1e6,
    // User and system time come in hundredths of a second.
    processorSeconds: (Number(stat[11]) + Number(stat[12])) / 100,
    files: readdirSync(`/proc/${pid}/fd`).length,
  };
};
