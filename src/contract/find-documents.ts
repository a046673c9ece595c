import { globSync } from 'node:fs';
import { join } from 'node:path';
import { compareTexts } from '#lib/compare-texts.ts';

/** A document, in YAML below spec/ or in JSON below generated/. Its `<product>/<version>` is also its folder in generated/, src/server/products/ and test/products/. */
export type DocumentLocation = { readonly product: string; readonly version: string; readonly file: string };

const toVersionNumber = (version: string): number => Number(version.slice(1));

/** Finds all documents in a folder, by product and from the oldest version to the newest. Throws when there is none. */
export const findDocuments = (folder: string): readonly DocumentLocation[] => {
  const documents = globSync('*/*/openapi.{yaml,json}', { cwd: folder }).map((path) => {
    const [product = '', version = ''] = path.split('/');
    if (!/^v\d+$/.test(version)) throw new Error(`'${path}': a version folder is named v1, v2 and so on`);
    return { product, version, file: join(folder, path) };
  });
  if (documents.length === 0) throw new Error(`no <product>/<version>/openapi.yaml or .json under '${folder}'`);
  return documents.toSorted(
    (a, b) => compareTexts(a.product, b.product) || toVersionNumber(a.version) - toVersionNumber(b.version),
  );
};
