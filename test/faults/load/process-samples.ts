import { readdirSync, readFileSync } from 'node:fs';

/** What processes take at a moment. */
export type ProcessSample = {
  /** Since the first sample. */
  readonly seconds: number;
  /** Memory that is theirs, MB (10^6 bytes). */
  readonly megabytes: number;
  /** Open files and connections. */
  readonly files: number;
};

const readResidentMegabytes = (pid: number): number => {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
};

/** Looks at processes now and then, on Linux; answers how to stop, with all that was seen. */
export const sampleProcesses = (pids: readonly number[], everyMs: number): (() => readonly ProcessSample[]) => {
  const beganAt = performance.now();
  const samples: ProcessSample[] = [];
  const look = (): void => {
    samples.push({
      seconds: (performance.now() - beganAt) / 1000,
      megabytes: pids.reduce((sum, pid) => sum + readResidentMegabytes(pid), 0),
      files: pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
    });
  };
  look();
  const timer = setInterval(look, everyMs);
  return () => {
    clearInterval(timer);
    look();
    return samples;
  };
};

/** How much memory grows in an hour, by the straight line that fits best, MB. */
export const computeHourlyGrowth = (samples: readonly ProcessSample[]): number => {
  const mean = (of: (sample: ProcessSample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [midSeconds, midMegabytes] = [mean(({ seconds }) => seconds), mean(({ megabytes }) => megabytes)];
  const together = mean(({ seconds, megabytes }) => (seconds - midSeconds) * (megabytes - midMegabytes));
  const spread = mean(({ seconds }) => (seconds - midSeconds) ** 2);
  return spread === 0 ? 0 : (together / spread) * 3600;
};
