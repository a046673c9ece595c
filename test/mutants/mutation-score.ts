import type { Failure } from './mutant-session.ts';
import type { Mutant } from './sample-mutants.ts';

export type MutantResult = Mutant & {
  readonly outcome: 'killed' | 'survived' | 'not covered';
  /** The number of test files that were run at most. */
  readonly files: number;
  readonly killer?: Failure;
};

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 77)}...`;
};

const asCode = (text: string): string => {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${fence === '`' ? '' : ' '}${shorten(text).replaceAll('|', String.raw`\|`)}${fence === '`' ? '' : ' '}${fence}`;
};

/** Renders the score of each folder and the mutants that no test noticed as Markdown. */
export const renderScore = (results: readonly MutantResult[], total: ReadonlyMap<string, number>): string => {
  const lines = [
    '# Mutation score',
    '',
    'Written by `make mutants`: the share of small changes of the sources that a test notices, in a seeded sample of each folder.',
    '',
    '| Folder | Mutants | Sample | Killed | Survived | Not covered | Score |',
    '|---|---|---|---|---|---|---|',
  ];
  const byFolder = Map.groupBy(results, ({ folder }) => folder);
  for (const folder of total.keys()) {
    const list = byFolder.get(folder) ?? [];
    const count = (outcome: MutantResult['outcome']): number =>
      list.filter((result) => result.outcome === outcome).length;
    const score = ((100 * count('killed')) / list.length).toFixed(1);
    lines.push(
      `| ${folder} | ${total.get(folder)} | ${list.length} | ${count('killed')} | ${count('survived')} | ${count('not covered')} | ${score} % |`,
    );
  }
  for (const folder of total.keys()) {
    lines.push('', `## Surviving mutants of ${folder}`, '', '| Place | Mutator | From | To |', '|---|---|---|---|');
    for (const { outcome, file, line, mutator, original, replacement } of byFolder.get(folder) ?? [])
      if (outcome !== 'killed')
        lines.push(
          `| ${file.slice(folder.length + 1)}:${line} | ${mutator}${outcome === 'survived' ? '' : ', not covered'} | ${asCode(original)} | ${asCode(replacement)} |`,
        );
  }
  return `${lines.join('\n')}\n`;
};
