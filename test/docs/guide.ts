import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#contract/run-tool.ts';
import { readPortalSources } from '#portal/read-sources.ts';

export type Example = { readonly script: string; readonly shown: unknown };
export type Guide = ReturnType<typeof readPage>;

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

const readPage = (name: string) => {
  const text = readFileSync(join(root, name), 'utf8');
  const blocks = parseBlocks(text);
  return { name, text, blocks, examples: parseExamples(blocks) };
};

/** All pages of the documentation, by their paths in the project. */
export const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).toSorted().map(readPage);

/** The pages that the portal publishes, in reading order. */
export const guides = readPortalSources(root).guides.map(({ name }) => readPage(`docs/${name}.md`));
