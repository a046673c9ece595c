import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderFaultTable } from './fault-table.ts';
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

test('renders one table by fault with the last figure of each part', () => {
  expect(
    renderFaultTable([
      { fault: 18, part: '', figure: 'differences 1', held: false },
      { fault: 2, part: 'a | b', figure: 'lost 1', held: false },
      { fault: 18, part: '', figure: 'differences 0', held: true },
    ]),
  ).toBe(`| # | fault | part | figure | held |
| - | - | - | - | - |
| 2 | kill -9 in the middle of a status batch | a / b | lost 1 | NO |
| 18 | replay of any position |  | differences 0 | yes |`);
});
