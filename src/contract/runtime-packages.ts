import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonObject, type JsonObject } from '#lib/openapi-document.ts';

export const NESTED = 'node_modules/';

/** A package of the lock file: its folder and its entry. */
export type LockedPackage = {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly entry: JsonObject;
};

export const toReference = ({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string => `${name}@${version}`;

export const isOptional = ({ entry }: LockedPackage): boolean => entry['optional'] === true;

/** Reads `packages` of the lock file of a project: entries by folder. */
export const readLockedPackages = (root: string): JsonObject =>
  toJsonObject(toJsonObject(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))['packages']);

/** Lists the packages that are installed with the service, including optional ones of all platforms, each once. */
export const listRuntimePackages = (packages: JsonObject): readonly LockedPackage[] => {
  const locked = Object.entries(packages)
    .map(([folder, value]) => {
      const entry = toJsonObject(value);
      const bare = folder.slice(folder.lastIndexOf(NESTED) + NESTED.length);
      return { folder, name: bare, version: String(entry['version']), entry };
    })
    .filter(({ folder, entry }) => folder !== '' && entry['dev'] !== true && entry['devOptional'] !== true);
  return [...new Map(locked.map((one) => [toReference(one), one])).values()].toSorted((one, other) =>
    toReference(one) < toReference(other) ? -1 : 1,
  );
};
