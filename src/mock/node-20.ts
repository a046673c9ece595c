const withResolvers = <T>(): PromiseWithResolvers<T> => {
  const functions = {} as Pick<PromiseWithResolvers<T>, 'resolve' | 'reject'>;
  const promise = new Promise<T>((resolve, reject) => Object.assign(functions, { resolve, reject }));
  return { promise, ...functions };
};

// Node.js 20 lacks it. Of all else that newer versions have, the mock needs nothing.
if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers });
