import { kinds, type DocumentCoverage, type Kind } from './exchange-coverage.ts';

/** Why a property or value cannot occur, by `<document> <name>`, or a header of any response, by `header <name>`. */
export type Reasons = Readonly<Record<string, string>>;

/** Returns the key of the reason for an item; undefined for kinds that must be observed. */
const toReasonKey = (kind: Kind, name: string): string | undefined => {
  if (kind === 'headers') return `header ${name.split(' ').at(-1)}`;
  return kind === 'properties' || kind === 'values' ? name : undefined;
};

type UnobservedItem = {
  readonly kind: Kind;
  readonly name: string;
  readonly key: string | undefined;
  readonly reason: string | undefined;
};

/** Lists the items that were not observed, in the order of the table. */
const findUnobserved = (accounts: readonly DocumentCoverage[], reasons: Reasons): readonly UnobservedItem[] =>
  kinds.flatMap((kind) =>
    accounts.flatMap(({ document, declared, observed }) =>
      [...declared[kind]]
        .filter((one) => !observed[kind].has(one))
        .map((one) => `${document} ${one}`)
        .map((name) => ({ kind, name, key: toReasonKey(kind, name) }))
        .map((item) => ({ ...item, reason: item.key === undefined ? undefined : reasons[item.key] })),
    ),
  );

/** Returns unobserved items without a reason, and reasons for items that were observed or do not exist. */
export const findCoverageErrors = (accounts: readonly DocumentCoverage[], reasons: Reasons): readonly string[] => {
  const unobserved = findUnobserved(accounts, reasons);
  const missing = unobserved.filter(({ reason }) => reason === undefined).map(({ kind, name }) => `${kind}: ${name}`);
  const explained = new Set(unobserved.filter(({ reason }) => reason !== undefined).map(({ key }) => key));
  const unusedReasons = Object.keys(reasons).filter((name) => !explained.has(name));
  return [...missing, ...unusedReasons.map((name) => `a reason for nothing: ${name}`)];
};

const sumSizes = (accounts: readonly DocumentCoverage[], size: (account: DocumentCoverage) => number): number =>
  accounts.reduce((sum, account) => sum + size(account), 0);

const alignColumns = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0))),
    )
    .map((row) => row.join('  '))
    .join('\n');
};

/** Renders a row for each document, `declared/observed+explained` for each kind, and the items not observed. */
export const renderCoverageTable = (accounts: readonly DocumentCoverage[], reasons: Reasons): string => {
  const unobserved = findUnobserved(accounts, reasons);
  const counted = (some: readonly DocumentCoverage[], kind: Kind): string => {
    const declared = sumSizes(some, (one) => one.declared[kind].size);
    const observed = sumSizes(some, (one) => one.declared[kind].intersection(one.observed[kind]).size);
    const explained = findUnobserved(some, reasons).filter(
      (one) => one.kind === kind && one.reason !== undefined,
    ).length;
    return `${declared}/${observed}${explained > 0 ? `+${explained}` : ''}`;
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
  const lines = unobserved.map(({ kind, name, reason }) => `  ${kind}: ${name}: ${reason ?? 'MISSING'}`);
  return [alignColumns(rows), ...(lines.length > 0 ? ['never seen:', ...lines] : [])].join('\n');
};
