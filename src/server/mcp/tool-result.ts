import { isJsonObject, toJsonObject } from '../lib/openapi-document.ts';

/** The result of a tool call: one text. */
export type ToolCallResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
};

const toResult = (text: string, isError = false): ToolCallResult => ({
  content: [{ type: 'text', text }],
  ...(isError && { isError }),
});

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/** Drops members without a value: null, blank texts, and empty lists and objects. */
const compact = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(compact);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, compact(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
};

/** Returns the path and query of a link. */
const toHandle = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');

/** Replaces the paging of a list by the number of its objects and the handle of its next page. */
const trimPage = (body: unknown): unknown => {
  const { paging, ...rest } = toJsonObject(body);
  if (!isJsonObject(paging)) return body;
  const { next, totalCount } = paging;
  return { ...rest, totalCount, ...(typeof next === 'string' && { next: toHandle(next) }) };
};

/** Returns the text of a problem (RFC 9457): its status, its detail and its parameters. */
const describeProblem = (status: number, body: unknown): string => {
  const { title, detail, errors } = toJsonObject(body);
  const text = [title, detail].filter((part) => typeof part === 'string').join(': ');
  return `${status} ${text}${isJsonObject(errors) ? ` ${JSON.stringify(errors)}` : ''}`;
};

/** Reads a response of the service as the result of a tool: compact JSON, or the problem as an error. */
export const toToolResult = async (response: Response): Promise<ToolCallResult> => {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const body: unknown = type.includes('json') && text !== '' ? JSON.parse(text) : text;
  if (!response.ok) return toResult(describeProblem(response.status, body), true);
  return toResult(typeof body === 'string' ? body || 'Done.' : JSON.stringify(compact(trimPage(body))));
};

/** Returns the result of a call that was not sent. */
export const toFailedResult = (message: string): ToolCallResult => toResult(message, true);
