const safeName = (piece: string): string => {
  const end = piece.indexOf('=');
  const name = end === -1 ? piece : piece.slice(0, end);
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
};

/**
 * The absolute URL of another page: the caller's query in the caller's order and spelling, with the cursor as its last parameter.
 * A cursor the caller sent, under any letter case of its name, is replaced.
 */
export const nextUrl = (requestUrl: string, parameterName: string, cursor: string): string => {
  const mark = requestUrl.indexOf('?');
  const base = mark === -1 ? requestUrl : requestUrl.slice(0, mark);
  const cursorName = parameterName.toLowerCase();
  const kept = mark === -1 ? [] : requestUrl.slice(mark + 1).split('&').filter((piece) => piece !== '' && safeName(piece) !== cursorName);
  return `${base}?${[...kept, `${parameterName}=${encodeURIComponent(cursor)}`].join('&')}`;
};

export type Page = {
  readonly limit: number;
  readonly totalCount: number;
  /** Absolute URLs; undefined where there is no such page. */
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
};

const head = Buffer.from('{"data":[');
const comma = Buffer.from(',');

/** The JSON text of one page. `rows` are JSON texts themselves and are copied as they are: nothing is parsed or written but the paging. */
export const envelope = (rows: readonly Buffer[], { limit, totalCount, next, previous }: Page): Buffer => {
  const paging = { limit, totalCount, totalPages: Math.ceil(totalCount / limit), next, previous };
  const pieces: Buffer[] = [head];
  for (const [index, row] of rows.entries()) {
    if (index > 0) pieces.push(comma);
    pieces.push(row);
  }
  pieces.push(Buffer.from(`],"paging":${JSON.stringify(paging)}}`));
  return Buffer.concat(pieces);
};
