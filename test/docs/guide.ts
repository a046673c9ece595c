import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../docs/guides/', import.meta.url));

/** A runnable example of a guide, and the response that the guide shows, if any. */
export type Example = { readonly script: string; readonly shown: unknown };

type Block = { readonly language: string; readonly content: string };

export type Guide = {
  readonly name: string;
  readonly text: string;
  /** The fenced code blocks in order. */
  readonly blocks: readonly Block[];
  readonly examples: readonly Example[];
};

const parseBlocks = (text: string): readonly Block[] =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', content = '']) => ({ language, content }));

/** Parses every `sh` block with the first `json` block before the next one. */
const parseExamples = (blocks: readonly Block[]): readonly Example[] => {
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

/** All guides, sorted by name. */
export const guides: readonly Guide[] = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .toSorted()
  .map((file) => {
    const text = readGuide(file);
    const blocks = parseBlocks(text);
    return { name: file, text, blocks, examples: parseExamples(blocks) };
  });
