import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../docs/guides/', import.meta.url));

export type Example = { readonly script: string; readonly shown: unknown };
export type Guide = (typeof guides)[number];

/** Returns the fenced code blocks in order. */
const parseBlocks = (text: string) =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', content = '']) => ({ language, content }));

/** Parses every `sh` block with the first `json` block before the next one. */
const parseExamples = (blocks: ReturnType<typeof parseBlocks>): readonly Example[] => {
  const examples: { script: string; shown: unknown }[] = [];
  for (const { language, content } of blocks) {
    const last = examples.at(-1);
    if (language === 'sh') examples.push({ script: content, shown: undefined });
    if (language === 'json' && last) last.shown ??= JSON.parse(content);
  }
  return examples;
};

const readGuide = (file: string): string => readFileSync(`${folder}${file}`, 'utf8');

/** The names of the guides in reading order. */
export const guideOrder: readonly string[] = readGuide('order.txt').trimEnd().split('\n');

export const guides = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .toSorted()
  .map((file) => {
    const text = readGuide(file);
    const blocks = parseBlocks(text);
    return { name: file, text, blocks, examples: parseExamples(blocks) };
  });
