import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandNames } from '#cli/program.ts';
import { serviceVariables } from '#config.ts';
import { flightColumns } from '#jobs/export/flight-columns.ts';
import { readLiveRegistry } from '#jobs/sources/live-registry.ts';
import { readSourceRegistry } from '#jobs/sources/source-registry.ts';
import { formatTriggers, getTaskDefinition, listTaskNames } from '#jobs/task-registry.ts';
import { regions } from '#domain/connections/mct/region-countries.ts';
import { listTrafficRestrictions } from '#domain/schedule/traffic-restrictions.ts';
import { elementUses } from '#feeds/aidx/element-uses.ts';
import { avinorCodes, avinorElements, hkiaMembers, hkiaTexts, swedaviaCodes } from '#feeds/live/live-elements.ts';
import { renderVariablesTable } from '#lib/environment-variable.ts';
import { tracingVariables } from '#telemetry/tracing-options.ts';
import { CLI_PAGE, renderCliReference } from './cli-reference.ts';
import { MESSAGES_PAGE, renderMessageReference } from './message-reference.ts';
import { renderPackageTable } from './package-table.ts';
import { replaceFile } from './replace-files.ts';
import { root as projectRoot } from './run-tool.ts';

type GeneratedTable = { readonly file: string; readonly name: string; readonly text: string };

const renderTasksTable = (): string =>
  [
    '| Task | What it does | Runs | Lease |',
    '| --- | --- | --- | --- |',
    ...listTaskNames().map((name) => {
      const task = getTaskDefinition(name);
      return `| \`${name}\` | ${task.description} | ${formatTriggers(task)} | ${task.lease ?? 'none'} |`;
    }),
  ].join('\n');

const connectionUses = {
  any: 'any',
  none: 'none',
  online: 'online',
  international: 'international',
  'international-online': 'international and online',
  domestic: 'domestic',
  'by-traffic': 'by kind of traffic',
} as const;

const renderRestrictionsTable = (): string =>
  [
    '| Code | Meaning | Connection | Local sale | Qualified | For cargo |',
    '| --- | --- | --- | --- | --- | --- |',
    ...listTrafficRestrictions().map(([code, { meaning, connection, localSale, qualified, asCargo }]) => {
      const cargo = asCargo === code ? '' : `as \`${asCargo}\``;
      const sale = localSale === 'by-traffic' ? connectionUses['by-traffic'] : localSale;
      return `| \`${code}\` | ${meaning} | ${connectionUses[connection]} | ${sale} | ${qualified ? 'yes' : ''} | ${cargo} |`;
    }),
  ].join('\n');

const renderRegionsTable = (): string =>
  [
    '| Region | Countries (ISO 3166-1) |',
    '| --- | --- |',
    ...[...regions].map(([region, countries]) => `| \`${region}\` | ${[...countries].toSorted().join(' ')} |`),
  ].join('\n');

const renderFlightColumnsTable = (): string =>
  [
    '| Column | Type | Property of the API |',
    '| --- | --- | --- |',
    ...flightColumns.map(({ name, type, source }) => `| \`${name}\` | ${type} | ${source} |`),
  ].join('\n');

const formatSeconds = (seconds: number): string =>
  seconds < 600 ? `${seconds} s` : seconds < 7200 ? `${seconds / 60} min` : `${seconds / 3600} h`;

const renderLiveSources = (): string =>
  [
    '| Name | Source | Airports | Requests | Stale after | Licence | Attribution and link |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...readLiveRegistry().map(
      ({ name, title, places, days, categories, onePlace, staleMinutes, licence, attribution, link }) => {
        const of = onePlace ? (places.length > 1 ? 'each airport' : `${categories.length} categories`) : 'all airports';
        const dates = days.map(({ day, seconds }) => {
          const date = days.length === 1 ? of : `${of} of ${day === 0 ? 'today' : day < 0 ? 'yesterday' : 'tomorrow'}`;
          return `${date} every ${formatSeconds(seconds)}`;
        });
        return `| \`${name}\` | ${title} | ${places.join(' ')} | ${dates.join(', ')} | ${staleMinutes} min | ${licence} | ${attribution}, ${link} |`;
      },
    ),
  ].join('\n');

const renderLiveElements = (elements: Readonly<Record<string, string>>): string =>
  [
    '| Element | Use |',
    '| --- | --- |',
    ...Object.entries(elements).map(([name, use]) => `| \`${name}\` | ${use} |`),
  ].join('\n');

const renderAvinorCodes = (): string =>
  [
    '| Code | Meaning | Fact of a departure | Fact of an arrival |',
    '| --- | --- | --- | --- |',
    ...Object.entries(avinorCodes).map(
      ([code, { meaning, departure = 'none', arrival = 'none' }]) =>
        `| \`${code}\` | ${meaning} | ${departure} | ${arrival} |`,
    ),
  ].join('\n');

const renderHkiaTexts = (): string =>
  [
    '| Text | Rows | Fact |',
    '| --- | --- | --- |',
    ...hkiaTexts.map(
      ({ text, direction, fact, value }) =>
        `| \`${text}\` | ${direction} | ${[fact || 'none', value].filter(Boolean).join(': ')} |`,
    ),
  ].join('\n');

const renderSwedaviaCodes = (): string =>
  [
    '| Code | Meaning |',
    '| --- | --- |',
    ...Object.entries(swedaviaCodes).map(([code, { meaning }]) => `| \`${code}\` | ${meaning} |`),
  ].join('\n');

const renderAidxTable = (): string =>
  [
    '| Element or attribute | Use | Status property, or reason |',
    '| --- | --- | --- |',
    ...Object.entries(elementUses).map(
      ([path, { use, note }]) => `| ${path === '' ? 'the root' : `\`${path}\``} | ${use} | ${note} |`,
    ),
  ].join('\n');

const renderSourcesTable = (): string =>
  [
    '| Name | Source | Licence | Attribution | Refresh |',
    '| --- | --- | --- | --- | --- |',
    ...readSourceRegistry().map(
      ({ name, title, licence, attribution, refreshDays }) =>
        `| \`${name}\` | ${title} | ${licence} | ${attribution} | ${refreshDays} days |`,
    ),
  ].join('\n');

const countLines = (pattern: string): number =>
  globSync(pattern, { cwd: projectRoot }).reduce(
    (sum, file) => sum + readFileSync(join(projectRoot, file), 'utf8').split('\n').length - 1,
    0,
  );

/** Rounded, so that most changes leave the table as it is. */
const formatThousands = (lines: number): string => String(Math.round(lines / 1000));

const renderLinesTable = (): string => {
  const rooms = globSync('src/*/', { cwd: projectRoot }).toSorted();
  const counts = [...rooms, 'test'].map((folder) => [folder, countLines(`${folder}/**/*.{ts,js}`)] as const);
  return [
    '| Folder | Lines |',
    '|---|---|',
    ...counts.map(([folder, lines]) => `| \`${folder}\` | ${formatThousands(lines)} |`),
  ].join('\n');
};

/** The generated tables of the documentation. */
const tables: readonly GeneratedTable[] = [
  {
    file: 'docs/reference/configuration.md',
    name: 'environment variables',
    text: renderVariablesTable(serviceVariables, { commandNames, linkPrefix: '../' }),
  },
  {
    file: 'docs/reference/configuration.md',
    name: 'environment variables of traces',
    text: renderVariablesTable(tracingVariables, { linkPrefix: '../' }),
  },
  { file: 'docs/reference/connection-rules.md', name: 'traffic restriction codes', text: renderRestrictionsTable() },
  { file: 'docs/reference/connection-rules.md', name: 'regions', text: renderRegionsTable() },
  { file: 'docs/how-to/operate/export-flights.md', name: 'columns of flights', text: renderFlightColumnsTable() },
  { file: 'docs/how-to/operate/follow-live-feeds.md', name: 'live feeds', text: renderLiveSources() },
  { file: 'docs/reference/live-feeds.md', name: 'elements of Avinor', text: renderLiveElements(avinorElements) },
  { file: 'docs/reference/live-feeds.md', name: 'codes of Avinor', text: renderAvinorCodes() },
  { file: 'docs/reference/live-feeds.md', name: 'members of HKIA', text: renderLiveElements(hkiaMembers) },
  { file: 'docs/reference/live-feeds.md', name: 'texts of HKIA', text: renderHkiaTexts() },
  { file: 'docs/reference/live-feeds.md', name: 'codes of Swedavia', text: renderSwedaviaCodes() },
  { file: 'docs/reference/aidx.md', name: 'elements of AIDX', text: renderAidxTable() },
  { file: 'docs/how-to/operate/fetch-open-data.md', name: 'open sources', text: renderSourcesTable() },
  { file: 'docs/explanation/architecture.md', name: 'lines by room', text: renderLinesTable() },
  { file: 'docs/reference/background-tasks.md', name: 'background tasks', text: renderTasksTable() },
  { file: 'docs/reference/runtime-packages.md', name: 'runtime packages', text: renderPackageTable(projectRoot) },
];

/** Returns the text of a page with its generated block replaced. Throws when the page has no such block. */
export const replaceBlock = (page: string, name: string, text: string): string => {
  const [start, end] = [`<!-- generated by \`make generate\`: ${name} -->`, '<!-- end of generated block -->'];
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`a page lacks the block '${name}' between '${start}' and '${end}'`);
  return `${page.slice(0, from)}${start}\n\n${text}\n\n${page.slice(to)}`;
};

const writePage = (path: string, text: string, checkOnly: boolean): boolean => {
  const differs = !existsSync(path) || readFileSync(path, 'utf8') !== text;
  if (differs && !checkOnly) replaceFile(path, text);
  return differs;
};

/**
 * Writes the pages of commands and messages, which need the generated code. Returns those that differed; with `checkOnly` none is
 * written.
 */
export const writeProgramPages = async (root: string, checkOnly: boolean): Promise<readonly string[]> => {
  const cliReference = await renderCliReference();
  const pages = [
    [CLI_PAGE, cliReference],
    [MESSAGES_PAGE, renderMessageReference(root, cliReference)],
  ] as const;
  return pages.filter(([page, text]) => writePage(join(root, page), text, checkOnly)).map(([page]) => page);
};

/** Writes the generated tables into the documentation. Returns the files that differed; with `checkOnly` none is written. */
export const writeDocumentationTables = (root: string, checkOnly: boolean): string[] =>
  tables.flatMap(({ file, name, text }) => {
    const path = join(root, file);
    return writePage(path, replaceBlock(readFileSync(path, 'utf8'), name, text), checkOnly) ? [file] : [];
  });
