import { afterAll, beforeAll } from 'vitest';

/** Starts a service before the tests of a file and drops it after them. Its members exist from the first hook of the file on. */
export const sharedService = <T extends { readonly drop: () => Promise<void> }>(start: () => Promise<T>): T => {
  const service = {} as T;
  beforeAll(async () => void Object.assign(service, await start()));
  afterAll(() => service.drop());
  return service;
};
