import { progress as bar } from '@clack/prompts';

/** Shows how far a piece of work is, on standard error: a bar on a terminal, nothing where nobody watches. */
export type Progress = {
  readonly at: (step: string, done: number, total: number) => void;
  readonly end: (message: string) => void;
};

const PARTS = 100;

/** Begins to show progress; `quiet` keeps it silent. */
export const newProgress = ({ quiet = false }: { readonly quiet?: boolean } = {}): Progress => {
  if (quiet || !process.stderr.isTTY) return { at: () => {}, end: () => {} };
  let current: { readonly step: string; readonly shown: ReturnType<typeof bar>; parts: number } | undefined;
  return {
    at: (step, done, total) => {
      if (current?.step !== step) {
        current?.shown.stop(current.step);
        current = { step, shown: bar({ max: PARTS, output: process.stderr, withGuide: false }), parts: 0 };
        current.shown.start(step);
      }
      const parts = total === 0 ? PARTS : Math.floor((done / total) * PARTS);
      if (parts > current.parts) current.shown.advance(parts - current.parts);
      current.parts = parts;
    },
    end: (message) => {
      current?.shown.stop(message);
      current = undefined;
    },
  };
};
