import { invalidParameters, Problem } from '../../../http/response/problem.ts';

const inOwnNames = (text: string): string => text.replaceAll(/\b(Departure|Arrival)DateTime\b/g, '$1Date');

/** What v2 threw, as v1 says it: the parameters of a refusal by the names under which the caller sent them. */
export const showRefusal = (error: unknown): unknown => {
  if (!(error instanceof Problem) || error.kind !== 'invalid-parameter' || !error.errors) return error;
  return invalidParameters(
    Object.fromEntries(
      Object.entries(error.errors).map(([name, messages]) => [inOwnNames(name), messages.map(inOwnNames)]),
    ),
  );
};
