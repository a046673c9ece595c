import { httpMethods, listOperations, toJsonObject, type JsonObject } from '#lib/openapi-document.ts';
import { renderCurl } from './render-curl.ts';
import { renderGo } from './render-go.ts';
import { renderPython } from './render-python.ts';
import { renderTypeScript } from './render-typescript.ts';
import { buildSampleCall, type DocumentedVersion, type SampleCall } from './sample-call.ts';

/** The languages of the samples, with the name by which Redoc highlights them. */
export const sampleLanguages = [
  { language: 'curl', highlight: 'Shell' },
  { language: 'TypeScript', highlight: 'TypeScript' },
  { language: 'Python', highlight: 'Python' },
  { language: 'Go', highlight: 'Go' },
] as const;

/** The code of an operation by language; it reads `SUBSCRIPTION_KEY` and identifiers from environment variables. */
export type CodeSample = {
  readonly call: SampleCall;
  readonly code: Readonly<Record<(typeof sampleLanguages)[number]['language'], string>>;
};

/** Builds a sample for each operation of a version, in the order of its document. */
export const buildCodeSamples = (source: DocumentedVersion): readonly CodeSample[] =>
  listOperations(source.document).map((operation) => {
    const call = buildSampleCall(source, operation);
    const code = {
      curl: renderCurl(call),
      TypeScript: renderTypeScript(call),
      Python: renderPython(call),
      Go: renderGo(call),
    };
    return { call, code };
  });

/** Adds the samples to the document as `x-codeSamples`, which Redoc renders. */
export const addCodeSamples = (source: DocumentedVersion): JsonObject => {
  const samples = new Map(
    buildCodeSamples(source).map(({ call, code }) => [
      call.operationId,
      sampleLanguages.map(({ language, highlight }) => ({ lang: highlight, label: language, source: code[language] })),
    ]),
  );
  const paths = Object.entries(toJsonObject(source.document['paths'])).map(
    ([path, item]): readonly [string, JsonObject] => {
      const members = Object.entries(toJsonObject(item)).map(([name, member]): readonly [string, unknown] => {
        const own = samples.get(String(toJsonObject(member)['operationId']));
        const isOperation = httpMethods.some((method) => method === name) && own !== undefined;
        return [name, isOperation ? { ...toJsonObject(member), 'x-codeSamples': own } : member];
      });
      return [path, Object.fromEntries(members)];
    },
  );
  return { ...source.document, paths: Object.fromEntries(paths) };
};
