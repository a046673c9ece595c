import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalog } from '#generated/catalog.ts';
import { findDocuments } from '#contract/find-documents.ts';
import { buildCatalog } from '#contract/generate-catalog.ts';
import { resolveReference, toJsonObject } from '#lib/openapi-document.ts';
import { root } from '#contract/run-tool.ts';
import { Contract } from './contract.ts';

const documents = findDocuments(join(root, 'spec'));

test('the catalog matches the published documents', () => {
  const bundled = documents.map((location) => {
    const file = join(root, 'generated', location.product, location.version, 'openapi.json');
    return { location, document: toJsonObject(JSON.parse(readFileSync(file, 'utf8'))) };
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

  test('the schema of a list parameter is in its place, where generators find it beside `explode`', () => {
    const schemas = contract
      .operations()
      .flatMap(({ parameters }) => parameters.map((one) => toJsonObject(one['schema'])));
    const references = schemas.filter((schema) => '$ref' in schema);
    const isList = (schema: unknown): boolean =>
      toJsonObject(resolveReference(contract.document, schema))['type'] === 'array';
    expect([schemas.length > 0, references.filter(isList)]).toEqual([true, []]);
  });

  test('no two operations share an operationId', () => {
    const ids = contract.operations().map(({ operation }) => operation['operationId']);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});
