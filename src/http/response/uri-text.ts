/**
 * A path or a query as part of a URI (RFC 3986): what may not stand in one is escaped, and so are percent signs that escape
 * nothing. It means what it meant before.
 */
export const escapeUriText = (text: string): string =>
  text.replaceAll(
    /%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@%/?]/gi,
    (found) =>
      `%${Buffer.from(found)
        .toString('hex')
        .replaceAll(/(..)(?=.)/g, '$1%')}`,
  );
