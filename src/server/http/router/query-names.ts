/** Converts ASCII only: U+212A KELVIN SIGN, whose lower case is `k`, must not match a name with `k`. */
export const toAsciiLowerCase = (text: string): string => (/^[ -~]*$/.test(text) ? text.toLowerCase() : text);

/** Returns a parameter name in lower case without brackets: many clients write a list as `name[]=` or `name[0]=`. */
export const toParameterKey = (name: string): string =>
  toAsciiLowerCase(name.endsWith(']') ? name.replace(/\[\d*\]$/, '') : name);
