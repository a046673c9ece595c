import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statusMessageSchema } from '../../../src/feeds/status/message-schema.ts';
import { parseStatusMessage } from '../../../src/feeds/status/read-message.ts';
import { someMessage, spoiltMessage } from './sample-messages.ts';

const published: unknown = JSON.parse(
  readFileSync(new URL('../../../generated/feeds/status-message.schema.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
const isPublished = ajv.compile(published as object);

const isTaken = (message: unknown): boolean => !('rejection' in parseStatusMessage(JSON.stringify(message)));

/** The rules that the published schema cannot express: valid dates within bounds, and diversions that differ. */
const isBeyondSchema = (issues: unknown): boolean => /a date |twice/.test(JSON.stringify(issues));

describe('the reader, the schema and the published JSON Schema', () => {
  test('accept every valid message', () => {
    fc.assert(
      fc.property(someMessage, (message) => {
        expect(isTaken(message)).toBe(true);
        expect(isPublished(message), JSON.stringify(isPublished.errors)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('agree on every message that has one error', () => {
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(spoiltMessage, (message) => {
        const { success, error } = statusMessageSchema.safeParse(message);
        expect(isTaken(message)).toBe(success);
        seen[success ? 'taken' : 'refused'] += 1;
        const isPublishedToo = isBeyondSchema(error?.issues ?? []) ? success : isPublished(message);
        expect(isPublishedToo, JSON.stringify(isPublished.errors)).toBe(success);
      }),
      { numRuns: 2000 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(200);
  });
});

test('the published schema describes every member', () => {
  const bare: string[] = [];
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, properties = {} } = node as {
      readonly type?: string;
      readonly properties?: Record<string, { readonly description?: string }>;
    };
    for (const [name, { description = '' }] of Object.entries(type === 'object' ? properties : {}))
      if (description.length < 10) bare.push(`${path}/${name}`);
    for (const [name, inner] of Object.entries(node)) visit(inner, `${path}/${name}`);
  };
  visit(published, '');
  expect(bare).toEqual([]);
});

test('the examples in the documentation are accepted without errors', () => {
  const text = readFileSync(new URL('../../../docs/status-feed.md', import.meta.url), 'utf8');
  const lines = [...text.matchAll(/```json\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
  expect(lines).toHaveLength(13);
  for (const line of lines) {
    expect(parseStatusMessage(line), line).toMatchObject({ message: { id: expect.any(String) }, fieldErrors: [] });
    expect(isPublished(JSON.parse(line)), line).toBe(true);
  }
});
