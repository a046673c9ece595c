import { toList, toJsonObject } from '../lib/openapi-document.ts';
import { problemKinds, Problem, type ProblemKind } from '../http/response/problem.ts';

const isKind = (text: string): text is ProblemKind => Object.hasOwn(problemKinds, text);

/**
 * The Problem that an example shows, so that it is told as the service tells it: with the path and the id of the request at hand.
 * Undefined when the body is of no kind that the service knows.
 */
export const asProblem = (body: unknown, headers: Readonly<Record<string, string>>): Problem | undefined => {
  const { type, detail, errors } = toJsonObject(body);
  const kind = String(type).replace('/docs/errors#', '');
  if (!isKind(kind)) return undefined;
  const told = Object.entries(toJsonObject(errors)).map(([name, list]) => [name, toList(list).map(String)] as const);
  return new Problem(kind, String(detail), { headers, ...(told.length > 0 && { errors: Object.fromEntries(told) }) });
};
