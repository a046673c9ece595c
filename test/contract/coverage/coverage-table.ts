import { kinds, type DocumentCoverage, type Kind } from './exchange-coverage.ts';

/** Properties and values that cannot be seen, and why, by `<document> <name>`. */
export type Reasons = Readonly<Record<string, string>>;

/** Nothing else may go unseen, whatever the reason: a document promises the rest of each answer and each question. */
const excusable: ReadonlySet<Kind> = new Set(['properties', 'values']);

/** What a document declares and nobody saw. */
export type UnobservedItem = { readonly kind: Kind; readonly name: string; readonly reason: string | undefined };

/** What the accounts lack, in the order of the table. */
export const findUnobserved = (accounts: readonly DocumentCoverage[], reasons: Reasons): readonly UnobservedItem[] =>
  kinds.flatMap((kind) =>
    accounts.flatMap(({ document, declared, seen }) =>
      [...declared[kind]]
        .filter((one) => !seen[kind].has(one))
        .map((one) => `${document} ${one}`)
        .map((name) => ({ kind, name, reason: excusable.has(kind) ? reasons[name] : undefined })),
    ),
  );

/** What must have been seen and was not; and reasons that explain nothing, since what they excuse was seen or is not there. */
export const findCoverageErrors = (accounts: readonly DocumentCoverage[], reasons: Reasons): readonly string[] => {
  const unseen = findUnobserved(accounts, reasons);
  const missing = unseen.filter(({ reason }) => reason === undefined).map(({ kind, name }) => `${kind}: ${name}`);
  const excused = new Set(unseen.filter(({ reason }) => reason !== undefined).map(({ name }) => name));
  const idle = Object.keys(reasons).filter((name) => !excused.has(name));
  return [...missing, ...idle.map((name) => `a reason for nothing: ${name}`)];
};

const sizeOf = (accounts: readonly DocumentCoverage[], size: (account: DocumentCoverage) => number): number =>
  accounts.reduce((sum, account) => sum + size(account), 0);

const inColumns = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0))),
    )
    .map((row) => row.join('  '))
    .join('\n');
};

/**
 * The table: a row for each document and one for all, with what is declared and what was seen of each kind, and behind a plus what
 * cannot be seen, for a reason; below it what was not seen.
 */
export const renderCoverageTable = (accounts: readonly DocumentCoverage[], reasons: Reasons): string => {
  const unseen = findUnobserved(accounts, reasons);
  const counted = (some: readonly DocumentCoverage[], kind: Kind): string => {
    const declared = sizeOf(some, (one) => one.declared[kind].size);
    const seen = sizeOf(some, (one) => one.declared[kind].intersection(one.seen[kind]).size);
    const explained = findUnobserved(some, reasons).filter(
      (one) => one.kind === kind && one.reason !== undefined,
    ).length;
    return `${declared}/${seen}${explained > 0 ? `+${explained}` : ''}`;
  };
  const row = (name: string, some: readonly DocumentCoverage[]): readonly string[] => [
    name,
    ...kinds.map((kind) => counted(some, kind)),
  ];
  const rows = [
    ['declared/seen', ...kinds],
    ...accounts.map((one) => row(one.document, [one])),
    row('in total', accounts),
  ];
  const lines = unseen.map(({ kind, name, reason }) => `  ${kind}: ${name}: ${reason ?? 'MISSING'}`);
  return [inColumns(rows), ...(lines.length > 0 ? ['never seen:', ...lines] : [])].join('\n');
};
