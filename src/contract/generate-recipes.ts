import { globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { DOCUMENTED_SERVER, toJsonObject, toList } from '#lib/openapi-document.ts';

/** Where the recipes refer to documents of the project. */
const BUNDLED = '../../generated/';

/** Converts `../../generated/flight-info/v2/openapi.json` to the URL at which a server publishes this document. Throws for any other URL. */
const toPublishedUrl = (url: unknown, file: string): string => {
  const [, name] = /^\.\.\/\.\.\/generated\/([\w-]+\/v\d+)\/openapi\.json$/.exec(String(url)) ?? [];
  if (name === undefined)
    throw new Error(`${file}: '${String(url)}' is not '${BUNDLED}<product>/<version>/openapi.json'`);
  return `${DOCUMENTED_SERVER}/openapi/${name}.json`;
};

/**
 * Writes each recipe of `<specDir>/recipes`, an Arazzo document, to `<outDir>/recipes/<name>.json`. Its sources become the documents of a
 * server, so that the recipe runs without this project.
 */
export const generateRecipes = async (specDir: string, outDir: string): Promise<void> => {
  const files = globSync('recipes/*.yaml', { cwd: specDir }).map((file) => join(specDir, file));
  if (files.length > 0) await mkdir(join(outDir, 'recipes'), { recursive: true });
  for (const file of files) {
    const recipe = toJsonObject(parse(readFileSync(file, 'utf8')));
    const sourceDescriptions = toList(recipe['sourceDescriptions'])
      .map(toJsonObject)
      .map((source) => ({ ...source, url: toPublishedUrl(source['url'], file) }));
    const text = JSON.stringify({ ...recipe, sourceDescriptions });
    await writeFile(join(outDir, 'recipes', `${basename(file, '.yaml')}.json`), `${text}\n`);
  }
};
