/** An absolute URL taken apart by its delimiters only: nothing is decoded, and no URL object is built for a request. */
export type RequestTarget = { readonly origin: string; readonly path: string; readonly query: string };

// Shorter than the shortest scheme and host there can be, longer than `https://`.
const AFTER_SCHEME = 8;

/** Splits the URL of a request; `query` is without its question mark. */
export const splitTarget = (url: string): RequestTarget => {
  const hash = url.indexOf('#');
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf('?');
  const pathEnd = mark === -1 || mark > end ? end : mark;
  const slash = url.indexOf('/', AFTER_SCHEME);
  const pathStart = slash === -1 || slash > pathEnd ? pathEnd : slash;
  return {
    origin: url.slice(0, pathStart),
    path: url.slice(pathStart, pathEnd),
    query: pathEnd === end ? '' : url.slice(pathEnd + 1, end),
  };
};

const decoded = (text: string): string => {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

const isVersion = (name: string): boolean => {
  if (name.length !== 'version'.length && !name.includes('%')) return false;
  return decoded(name).toLowerCase() === 'version';
};

/** The distinct values given for the parameter `version`, its name and its values in any letter case: here in lower case, blanks left out. */
export const readVersions = (query: string): readonly string[] => {
  const asked: string[] = [];
  if (query === '') return asked;
  for (const piece of query.split('&')) {
    const equals = piece.indexOf('=');
    if (equals === -1 || !isVersion(piece.slice(0, equals))) continue;
    const value = decoded(piece.slice(equals + 1))
      .trim()
      .toLowerCase();
    if (value !== '' && !asked.includes(value)) asked.push(value);
  }
  return asked;
};
