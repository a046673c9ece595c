/** Escapes the characters of a path or query that a URI must not contain (RFC 3986), and percent signs that escape nothing. */
export const escapeUriText = (text: string): string =>
  text.replaceAll(
    /%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@%/?]/gi,
    (character) =>
      `%${Buffer.from(character)
        .toString('hex')
        .replaceAll(/(..)(?=.)/g, '$1%')}`,
  );
