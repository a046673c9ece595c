import type { FeedFile } from '../../../src/feeds/text/csv-rows.ts';

/** Creates a file of lines whose bytes arrive in small pieces. */
export const createFeedFile = (name: string, ...lines: readonly string[]): FeedFile => {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const pieces = async function* () {
    for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
  };
  return { name, bytes: pieces() };
};

/** Returns all items of an iterable. */
export const collect = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
};
