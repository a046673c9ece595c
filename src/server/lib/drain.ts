/** Runs a generator to its end and returns its result; the yields are the pauses that a scheduler could use for other work. */
export const drain = <Result>(steps: Generator<void, Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
