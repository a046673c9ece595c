import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { toJsonObject, type JsonObject } from '../lib/openapi-document.ts';

// Built, this file lies one folder deeper than in a checkout.
const folders = ['../../generated/', '../../../generated/'].map((path) => new URL(path, import.meta.url));

/** The bundle of `<product>/<version>` as it ships beside the code. Throws when it is not there. */
export const readDocument = (name: string): JsonObject => {
  const files = folders.map((folder) => new URL(`${name}/openapi.yaml`, folder));
  const file = files.find((one) => existsSync(one));
  if (!file) throw new Error(`the document of ${name} is missing`);
  return toJsonObject(parse(readFileSync(file, 'utf8')));
};
