import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../docs/guides/', import.meta.url));

/** A piece of a guide to be run, and the answer that the guide shows of it, where it shows one. */
export type Example = { readonly script: string; readonly shown: unknown };

type Block = { readonly language: string; readonly content: string };

export type Guide = {
  readonly name: string;
  readonly text: string;
  /** The fenced blocks, in their order. */
  readonly blocks: readonly Block[];
  readonly examples: readonly Example[];
};

const parseBlocks = (text: string): readonly Block[] =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', content = '']) => ({ language, content }));

/** Every `sh` block, with the first `json` block between it and the next one. */
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

/** The names of the guides in the order in which they are to be read. */
export const guideOrder: readonly string[] = readGuide('order.txt').trimEnd().split('\n');

/** Every guide there is, by name. */
export const guides: readonly Guide[] = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .toSorted()
  .map((file) => {
    const text = readGuide(file);
    const blocks = parseBlocks(text);
    return { name: file, text, blocks, examples: parseExamples(blocks) };
  });
