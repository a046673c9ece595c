import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { catalog } from '../../generated/catalog.ts';
import { findDocuments } from '../../src/contract/find-documents.ts';
import { buildCatalog } from '../../src/contract/generate-catalog.ts';
import { toJsonObject } from '../../src/lib/openapi-document.ts';
import { root } from '../../src/contract/run-tool.ts';
import { Contract } from './contract.ts';

const documents = findDocuments(join(root, 'spec'));

test('the catalog matches the published documents', () => {
  const bundled = documents.map((location) => {
    const file = join(root, 'generated', location.product, location.version, 'openapi.yaml');
    return { location, document: toJsonObject(parse(readFileSync(file, 'utf8'))) };
  });
  expect(catalog).toEqual(buildCatalog(bundled));
});

describe.each(documents.map(({ product, version }) => `${product}/${version}`))('%s', (name) => {
  const contract = new Contract(name);

  test('every schema compiles', () => {
    const schemas = contract.schemas();
    expect(schemas.length).toBeGreaterThan(20);
    const broken = schemas.flatMap((pointer) => {
      try {
        contract.check(pointer, null);
        return [];
      } catch (error) {
        return [`${pointer}: ${String(error)}`];
      }
    });
    expect(broken).toEqual([]);
  });

  test('every example is valid and has only declared properties', () => {
    const examples = contract.examples();
    expect(examples.length).toBeGreaterThan(10);
    const errors = examples.flatMap(({ examplePointer, pointer, value }) =>
      contract.check(pointer, value).map((fault) => `${examplePointer}: ${fault}`),
    );
    expect(errors).toEqual([]);
  });

  test('no two operations share an operationId', () => {
    const ids = contract.operations().map(({ operation }) => operation['operationId']);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});
