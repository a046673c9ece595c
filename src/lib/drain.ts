/** The result of work that is made in steps, for whoever has nothing else to do in between. */
export const toTheEnd = <Result>(steps: Generator<void, Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
