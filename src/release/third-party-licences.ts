import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonObject } from '#lib/openapi-document.ts';
import { isOptional, listRuntimePackages, readLockedPackages, toReference } from '#contract/runtime-packages.ts';

export const LICENCES_FILE = 'THIRD_PARTY_LICENSES.txt';

/** Development packages whose code is part of what we publish. */
const bundled: readonly (readonly [name: string, where: string])[] = [
  ['@hey-api/openapi-ts', 'its runtime is part of the client package'],
  ['@redocly/cli', 'Redoc is part of the portal'],
  ['minisearch', 'part of the portal'],
];

const LICENCE_NAMES = /^(?:licence|license|copying|unlicense|notice|third_party_notices)(?:[.-].*)?$/i;

type LicensedPackage = {
  readonly reference: string;
  readonly licence: string;
  /** Where its code is, when it is not installed with the service. */
  readonly note?: string;
  /** Its licence files; empty when the package has none. */
  readonly text: string;
};

/** Data of others in our own files. */
const data: readonly LicensedPackage[] = [
  {
    reference: 'timezone-boundary-builder',
    licence: 'ODbL-1.0',
    note:
      'its boundaries of time zones, drawn in rows, are in src/server/feeds/master-data/boundaries/zone-boundaries.br; contains data ' +
      '© OpenStreetMap contributors; https://opendatacommons.org/licenses/odbl/1-0/',
    text: '',
  },
];

const readLicenceFiles = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => LICENCE_NAMES.test(name))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');

const toLicence = (value: unknown): string => {
  if (typeof value !== 'string' || value === '') throw new Error(`a package of the lock file declares no licence`);
  return value;
};

const formatEntry = ({ reference, licence, note, text }: LicensedPackage): string => {
  const missing = text === '' && note === undefined ? 'the package contains no licence text' : note;
  return `${reference}  ${licence}${missing === undefined ? '' : `  (${missing})`}`;
};

const formatText = ([text, packages]: readonly [string, readonly LicensedPackage[]]): string =>
  `${'='.repeat(80)}\n${packages.map(({ reference }) => reference).join('\n')}\n\n${text}\n`;

/**
 * Renders the licences of the packages that the service needs, and of packages whose code is part of the client or the portal. Each text
 * appears once, as the package has it. Optional packages of a platform have no text, because only those of this machine are installed.
 */
export const renderThirdPartyLicences = (root: string): string => {
  const locked = readLockedPackages(root);
  const runtime = listRuntimePackages(locked);
  const installed = runtime
    .filter((one) => !isOptional(one))
    .map((one) => ({
      reference: toReference(one),
      licence: toLicence(one.entry['license']),
      text: readLicenceFiles(join(root, one.folder)),
    }));
  const parts = bundled.map(([name, note]) => {
    const folder = `node_modules/${name}`;
    const { version, license } = toJsonObject(locked[folder]);
    return {
      reference: `${name}@${String(version)}`,
      licence: toLicence(license),
      note,
      text: readLicenceFiles(join(root, folder)),
    };
  });
  const optional = runtime.filter(isOptional).map((one) => ({
    reference: toReference(one),
    licence: toLicence(one.entry['license']),
    note: 'optional, for one platform; the text is in the package',
    text: '',
  }));
  const all = [...installed, ...parts, ...optional, ...data];
  const texts = Map.groupBy(
    all.filter(({ text }) => text !== ''),
    ({ text }) => text,
  );
  return [
    'Packages that flightdata installs or contains, with their licences. The licence of flightdata itself is in LICENSE.\n',
    `${all.map(formatEntry).join('\n')}\n`,
    ...[...texts].map(formatText),
  ].join('\n');
};
