/** An operation of a version. */
export type OperationName = {
  /** As in the catalog, e.g. `flight-info`. */
  readonly product: string;
  readonly version: string;
  /** For example `listFlightInstances`. */
  readonly operation: string;
};

/** Reports that a version is deprecated. */
export type DeprecationNotice = OperationName & {
  /** When the version is removed. */
  readonly sunsetAt: Date | undefined;
  /** The URL of the same path in the successor version. */
  readonly successor: string | undefined;
};

/** Finds the target of a relation in a `Link` header (RFC 8288). */
const findLink = (relation: string, header: string | null, url: string): string | undefined => {
  for (const [, target = '', rest = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g))
    if (new RegExp(`;\\s*rel="?${relation}"?(?:[;,\\s]|$)`).test(rest) && URL.canParse(target, url))
      return new URL(target, url).href;
  return undefined;
};

const parseHttpDate = (header: string | null): Date | undefined => {
  const date = new Date(header ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** Called with the headers of each response and the URL of its request. */
export type DeprecationWatcher = (
  response: { readonly url: string; readonly headers: Headers },
  name: OperationName,
) => void;

/** Creates a watcher that reports each operation of a deprecated version once. */
export const createDeprecationWatcher = (onDeprecation: (notice: DeprecationNotice) => void): DeprecationWatcher => {
  const reported = new Set<string>();
  return ({ url, headers }, { product, version, operation }) => {
    const name = `${product}/${version}/${operation}`;
    if (!headers.has('deprecation') || reported.has(name)) return;
    reported.add(name);
    onDeprecation({
      product,
      version,
      operation,
      sunsetAt: parseHttpDate(headers.get('sunset')),
      successor: findLink('successor-version', headers.get('link'), url),
    });
  };
};
