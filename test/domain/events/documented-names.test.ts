import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { getChangeKind, scheduleProperties, statusProperties } from '../../../src/domain/events/event-properties.ts';

/** The rows of properties in the part of the page under a heading. */
const rowsUnder = (heading: string): readonly string[] => {
  const page = readFileSync(new URL('../../../docs/guides/change-events.md', import.meta.url), 'utf8');
  const part = page.split(/^### /m).find((text) => text.startsWith(heading)) ?? '';
  return part.split('\n').filter((line) => line.startsWith('| `'));
};

test('the page of change events lists the names of all properties, and the filters they belong to', () => {
  expect(rowsUnder('Of schedule events')).toEqual(scheduleProperties.map(({ name }) => `| \`${name}\` |`));
  expect(rowsUnder('Of status events')).toEqual(
    statusProperties.map(({ name }) => {
      const filter = getChangeKind(name);
      return `| \`${name}\` |${filter === undefined ? '' : ` \`${filter}\``} |`;
    }),
  );
});
