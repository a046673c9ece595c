import { computeQuantile } from '../support/quantile.ts';

/** The target of a figure, with its direction. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One measured number. */
export type Figure = {
  /** What was measured, with its conditions; readable without context. */
  readonly name: string;
  readonly value: number;
  /** `requests/s`, `ms`, `bytes`, or `ratio` of two rates. */
  readonly unit: string;
  readonly target?: Target | undefined;
};

export const figure = (name: string, value: number, unit: string, target?: Target) => ({ name, value, unit, target });

/** Creates the figures of times in milliseconds: median and 99 %, with targets for both. */
export const figuresOfTimes = (
  name: string,
  { p50, p99 }: { readonly p50: number; readonly p99: number },
  targets: readonly Target[] = [],
): readonly Figure[] => [
  figure(`${name}: half take at most`, p50, 'ms', targets[0]),
  figure(`${name}: 99 % take at most`, p99, 'ms', targets[1]),
];

/** Returns the median and the 99 % quantile. */
export const quantilesOf = (times: readonly number[]) => ({
  p50: computeQuantile(times, 0.5),
  p99: computeQuantile(times, 0.99),
});

/** Sends figures to the parent process, or prints them when the part runs alone. */
export const printFigure = (part: string, figures: readonly Figure[]): void => {
  if (process.send) process.send({ part, figures });
  else process.stdout.write(renderMarkdown(figures.map((one) => ({ part, ...one }))));
};

/** A figure with its part of the suite. */
export type PrintedFigure = Figure & { readonly part: string };

const isMet = ({ value, target }: Figure): boolean | undefined => {
  if (!target) return undefined;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
};

const targetText = (target: Target | undefined): string => {
  if (!target) return '';
  return 'atLeast' in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`;
};

const numberText = (value: number): string => {
  if (!Number.isFinite(value)) return 'none';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
};

const metText = { true: 'met', false: 'NOT MET', undefined: '' } as const;

const rowOf = (printed: PrintedFigure): readonly string[] => {
  const { part, name, value, unit, target } = printed;
  return [part, name, numberText(value), unit, targetText(target), metText[`${isMet(printed)}`]];
};

/** Renders figures as a Markdown table with aligned columns. */
export const renderMarkdown = (figures: readonly PrintedFigure[]): string => {
  const rows = [['part', 'figure', 'value', 'unit', 'target', 'met'], ...figures.map(rowOf)];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`);
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|\n`;
  return [lines[0], rule, ...lines.slice(1)].join('');
};

/** Returns the median; the upper of the two middle values of an even count. */
export const median = (values: readonly number[]): number => computeQuantile(values, 0.5);
