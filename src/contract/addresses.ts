import { globSync } from 'node:fs';
import { join } from 'node:path';

/** Where a document lives: the same `<product>/<version>` under spec/, generated/, src/products/ and test/products/. */
export type Address = { readonly product: string; readonly version: string; readonly file: string };

const versionNumber = (version: string): number => Number(version.slice(1));

/** Every document under a spec folder, by product and from its oldest version to its newest; throws when there is none. */
export const findDocuments = (specDir: string): readonly Address[] => {
  const found = globSync('*/*/openapi.yaml', { cwd: specDir }).map((path) => {
    const [product = '', version = ''] = path.split('/');
    if (!/^v\d+$/.test(version)) throw new Error(`'${path}': a version folder is named v1, v2 and so on`);
    return { product, version, file: join(specDir, path) };
  });
  if (found.length === 0) throw new Error(`no <product>/<version>/openapi.yaml under '${specDir}'`);
  return found.toSorted((a, b) =>
    a.product < b.product ? -1 : a.product > b.product ? 1 : versionNumber(a.version) - versionNumber(b.version),
  );
};
