import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { escapePointer, type OpenApiOperation } from '../../src/lib/openapi-document.ts';
import type { ServedDocument } from '../contract/services/served-documents.ts';

const validators = new Map<string, Ajv2020>();

const validatorOf = ({ name, contract: { document } }: ServedDocument): Ajv2020 => {
  const kept = validators.get(name);
  if (kept) return kept;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  for (const format of ['int32', 'float', 'double']) ajv.addFormat(format, true);
  ajv.addSchema({ ...document, $id: `https://document.test/${name}` });
  validators.set(name, ajv);
  return ajv;
};

/**
 * Returns the schema errors of a JSON body against the published response schema, which allows unknown members, which
 * the contract tests of the service take for faults.
 */
export const findSchemaErrors = (
  served: ServedDocument,
  { method, path }: OpenApiOperation,
  { status, body }: { readonly status: number; readonly body: unknown },
): readonly string[] => {
  const keys = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
  const pointer = keys.map((key) => `/${encodeURIComponent(escapePointer(key))}`).join('');
  const validate = validatorOf(served).compile({ $ref: `https://document.test/${served.name}#${pointer}` });
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
};
