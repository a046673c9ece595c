import { type KeyCandidate, listKeyCandidates } from '#lib/mask-keys.ts';
import { decodeQueryText } from '#lib/query-text.ts';
import { memoizeText } from '#lib/text-memo.ts';

/** The parts of an absolute URL, not decoded; a `URL` object for each request would cost more. */
export type RequestTarget = {
  readonly origin: string;
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  /** The distinct values of the parameter `version` in lower case, without blanks. Its name may have any letter case. */
  readonly versions: readonly string[];
  readonly keyCandidates: readonly KeyCandidate[];
};

/** Builds the URL of a request; `query` is without its question mark. */
export const buildRequestUrl = (base: string, path: string, query: string): string =>
  `${base}${path}${query === '' ? '' : `?${query}`}`;

// Longer than `https://`, shorter than the shortest scheme and host.
const AFTER_SCHEME = 8;

const isVersionParameter = (name: string): boolean => {
  if (name.length !== 'version'.length && !/[%[]/.test(name)) return false;
  return /^version(?:\[\d*\])?$/i.test(decodeQueryText(name));
};

const findVersions = (query: string): readonly string[] => {
  const versions: string[] = [];
  if (query === '') return versions;
  for (const piece of query.split('&')) {
    const equals = piece.indexOf('=');
    if (equals === -1 || !isVersionParameter(piece.slice(0, equals))) continue;
    const value = decodeQueryText(piece.slice(equals + 1))
      .trim()
      .toLowerCase();
    if (value !== '' && !versions.includes(value)) versions.push(value);
  }
  return versions;
};

const split = (url: string): RequestTarget => {
  const hash = url.indexOf('#');
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf('?');
  const pathEnd = mark === -1 || mark > end ? end : mark;
  const slash = url.indexOf('/', AFTER_SCHEME);
  const pathStart = slash === -1 || slash > pathEnd ? pathEnd : slash;
  const query = pathEnd === end ? '' : url.slice(pathEnd + 1, end);
  return {
    origin: url.slice(0, pathStart),
    path: url.slice(pathStart, pathEnd),
    query,
    versions: findVersions(query),
    keyCandidates: listKeyCandidates(url),
  };
};

/** Splits the URL of a request. */
export const splitTarget = memoizeText(split);
