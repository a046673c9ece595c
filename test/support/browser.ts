import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const program = names
  .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find(isExecutable);

/** Whether a Chromium is on the PATH. */
export const hasBrowser = program !== undefined;
if (!hasBrowser)
  console.warn('no chromium, chromium-browser or google-chrome on the PATH: no page is looked at in a browser');

/** Starts a browser for the tests of a `describe`, and stops it after them. Returns a function that returns it. */
export const useBrowser = (): (() => Browser) => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    // Containers may forbid the namespaces of the sandbox; the browser opens test pages only.
    browser = await chromium.launch({ executablePath: program ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('no browser');
    return browser;
  };
};
