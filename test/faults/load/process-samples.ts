import { readdirSync, readFileSync } from 'node:fs';

/** The resource use of processes at one time. */
export type ProcessSample = {
  /** Since the first sample. */
  readonly seconds: number;
  /** Resident memory, MB (10^6 bytes). */
  readonly megabytes: number;
  /** Open files and connections. */
  readonly files: number;
};

const readResidentMegabytes = (pid: number): number => {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
};

/** Samples processes periodically (Linux only). Returns a function that stops and returns all samples. */
export const sampleProcesses = (pids: readonly number[], everyMs: number): (() => readonly ProcessSample[]) => {
  const startedAt = performance.now();
  const samples: ProcessSample[] = [];
  const sample = (): void => {
    samples.push({
      seconds: (performance.now() - startedAt) / 1000,
      megabytes: pids.reduce((sum, pid) => sum + readResidentMegabytes(pid), 0),
      files: pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
    });
  };
  sample();
  const timer = setInterval(sample, everyMs);
  return () => {
    clearInterval(timer);
    sample();
    return samples;
  };
};

/** Computes the growth of memory per hour by linear regression, MB. */
export const computeHourlyGrowth = (samples: readonly ProcessSample[]): number => {
  const mean = (of: (sample: ProcessSample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [meanSeconds, meanMegabytes] = [mean(({ seconds }) => seconds), mean(({ megabytes }) => megabytes)];
  const covariance = mean(({ seconds, megabytes }) => (seconds - meanSeconds) * (megabytes - meanMegabytes));
  const variance = mean(({ seconds }) => (seconds - meanSeconds) ** 2);
  return variance === 0 ? 0 : (covariance / variance) * 3600;
};
