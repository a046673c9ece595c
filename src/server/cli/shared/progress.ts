import { progress as createBar } from '@clack/prompts';

/** The progress of a command on standard error: a bar on a terminal, elsewhere a line every ten seconds. */
export type Progress = {
  readonly update: (step: string, done: number, total: number) => void;
  readonly end: (message: string) => void;
};

export type ProgressOptions = {
  readonly output?: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
};

/** Parts of the bar: finer steps are not visible. */
const PARTS = 100;
const MEGABYTE = 1e6;
const BAR_INTERVAL_MS = 200;
const LINE_INTERVAL_MS = 10_000;

/** The unit of each step, and by what its counts are divided. Steps that are not listed have no count. */
const units: Readonly<Record<string, { readonly name: string; readonly size?: number }>> = {
  read: { name: 'MB', size: MEGABYTE },
  load: { name: 'MB', size: MEGABYTE },
  fetch: { name: 'MB', size: MEGABYTE },
  'read files': { name: 'files' },
  'read flights': { name: 'itineraries' },
  make: { name: 'carriers' },
  expand: { name: 'days' },
  delete: { name: 'days' },
  count: { name: 'days' },
  export: { name: 'days' },
};

const formatNumber = (value: number, digits: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const formatTime = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`;

/** Formats a step with its count, percentage, rate and remaining time, as far as they are known. */
const formatProgress = (
  step: string,
  { done, total, seconds }: { readonly done: number; readonly total: number; readonly seconds: number },
): string => {
  if (done <= 0 || total <= 0) return step;
  const unit = units[step];
  const { name = '', size = 1 } = unit ?? {};
  const digits = size === 1 ? 0 : 1;
  const parts = [`${Math.floor((done / total) * 100)} %`];
  if (unit) parts.unshift(`${formatNumber(done / size, digits)} of ${formatNumber(total / size, digits)} ${name}`);
  if (seconds > 0) {
    const rate = done / seconds;
    if (unit) parts.push(`${formatNumber(rate / size, 1)} ${name}/s`);
    parts.push(formatTime((total - done) / rate));
  }
  return `${step}: ${parts.join(', ')}`;
};

type Step = {
  readonly name: string;
  readonly startedAt: number;
  readonly bar: ReturnType<typeof createBar> | undefined;
  shownAt: number;
  parts: number;
};

/** Returns the progress of a command. Each step has a bar of its own. */
export const createProgress = ({
  output = process.stderr,
  now = () => performance.now(),
}: ProgressOptions = {}): Progress => {
  let current: Step | undefined;
  let lineAt = now();
  const start = (name: string): Step => {
    const bar = output.isTTY ? createBar({ max: PARTS, output: process.stderr, withGuide: false }) : undefined;
    bar?.start(name);
    return { name, startedAt: now(), bar, shownAt: now(), parts: 0 };
  };
  return {
    update: (name, done, total) => {
      if (current?.name !== name) {
        current?.bar?.stop(current.name);
        current = start(name);
      }
      const { bar, startedAt } = current;
      const text = (): string => formatProgress(name, { done, total, seconds: (now() - startedAt) / 1000 });
      if (!bar) {
        if (now() - lineAt < LINE_INTERVAL_MS) return;
        lineAt = now();
        output.write(`${text()}\n`);
        return;
      }
      const parts = total === 0 ? PARTS : Math.floor((done / total) * PARTS);
      if (parts > current.parts) bar.advance(parts - current.parts);
      current.parts = parts;
      if (now() - current.shownAt < BAR_INTERVAL_MS) return;
      current.shownAt = now();
      bar.message(text());
    },
    end: (message) => {
      current?.bar?.stop(message);
      current = undefined;
    },
  };
};
