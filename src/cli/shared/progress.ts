import { progress as createBar } from '@clack/prompts';

/** A progress bar on standard error; silent when that is not a terminal. */
export type Progress = {
  readonly update: (step: string, done: number, total: number) => void;
  readonly end: (message: string) => void;
};

/** Parts of the bar: finer steps are not visible. */
const PARTS = 100;

/** Returns a progress bar that starts a new line for each step. */
export const createProgress = (): Progress => {
  if (!process.stderr.isTTY) return { update: () => {}, end: () => {} };
  let current: { readonly step: string; readonly bar: ReturnType<typeof createBar>; parts: number } | undefined;
  return {
    update: (step, done, total) => {
      if (current?.step !== step) {
        current?.bar.stop(current.step);
        current = { step, bar: createBar({ max: PARTS, output: process.stderr, withGuide: false }), parts: 0 };
        current.bar.start(step);
      }
      const parts = total === 0 ? PARTS : Math.floor((done / total) * PARTS);
      if (parts > current.parts) current.bar.advance(parts - current.parts);
      current.parts = parts;
    },
    end: (message) => {
      current?.bar.stop(message);
      current = undefined;
    },
  };
};
