import { invalidParameters, Problem } from '#http/response/problem.ts';

const toOwnNames = (text: string): string => text.replaceAll(/\b(Departure|Arrival)DateTime\b/g, '$1Date');

/** Converts an error of v2 to v1: parameters have the names that the v1 caller sent. */
export const toOwnError = (error: unknown): unknown => {
  if (!(error instanceof Problem) || error.kind !== 'invalid-parameter' || !error.errors) return error;
  return invalidParameters(
    Object.fromEntries(
      Object.entries(error.errors).map(([name, messages]) => [toOwnNames(name), messages.map(toOwnNames)]),
    ),
  );
};
