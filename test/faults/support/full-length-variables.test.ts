import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultTestFiles, fullLengthVariables, optionalVariables } from './full-length-variables.ts';

const sources = faultTestFiles
  .flatMap((path) => (path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.ts`)))
  .map((path) => readFileSync(path, 'utf8'));

test('every length variable of the fault tests has a full length, and no other variable does', () => {
  const read = sources.flatMap((text) =>
    [...text.matchAll(/process\.env\[?\.?'?([A-Z][A-Z\d_]+)/g)].map(([, name = '']) => name),
  );
  const known = [...Object.keys(fullLengthVariables), ...optionalVariables];
  expect([...new Set(read)].toSorted()).toEqual(known.toSorted());
});
