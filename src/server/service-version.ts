import { readFileSync } from 'node:fs';

const readVersion = (): string => {
  // A built package has this file one folder deeper than a checkout; its dist/package.json has no version.
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const parsed: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (typeof parsed === 'object' && parsed !== null && 'version' in parsed) return String(parsed.version);
    } catch {
      continue;
    }
  }
  return 'unknown';
};

/** The version of the service, as package.json has it: `0.1.0`. */
export const serviceVersion = readVersion();
