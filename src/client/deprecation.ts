/** An operation as a notice names it. */
export type OperationName = {
  /** As in the catalogue, e.g. `flight-info`. */
  readonly product: string;
  readonly version: string;
  /** e.g. `listFlightInstances`. */
  readonly operation: string;
};

/** Told when an answer says that its version will end. */
export type DeprecationNotice = OperationName & {
  /** When the version ceases to answer. */
  readonly sunsetAt: Date | undefined;
  /** The URL of the same path in the version that follows. */
  readonly successor: string | undefined;
};

/** The target of the link of a relation in a `Link` header (RFC 8288). */
const linkTo = (relation: string, header: string | null, url: string): string | undefined => {
  for (const [, target = '', rest = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g))
    if (new RegExp(`;\\s*rel="?${relation}"?(?:[;,\\s]|$)`).test(rest) && URL.canParse(target, url))
      return new URL(target, url).href;
  return undefined;
};

const dateOf = (header: string | null): Date | undefined => {
  const date = new Date(header ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** Shown the headers of an answer, and the URL that was asked. */
export type DeprecationWatch = (
  answer: { readonly url: string; readonly headers: Headers },
  name: OperationName,
) => void;

/** Looks at the headers of answers and tells of each operation of a version that ends, once. */
export const newDeprecationWatch = (tell: (notice: DeprecationNotice) => void): DeprecationWatch => {
  const told = new Set<string>();
  return ({ url, headers }, { product, version, operation }) => {
    const name = `${product}/${version}/${operation}`;
    if (!headers.has('deprecation') || told.has(name)) return;
    told.add(name);
    tell({
      product,
      version,
      operation,
      sunsetAt: dateOf(headers.get('sunset')),
      successor: linkTo('successor-version', headers.get('link'), url),
    });
  };
};
