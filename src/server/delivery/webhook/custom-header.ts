/** A custom header of a receiver, e.g. `x-api-key`; its value is a secret. */
export type CustomHeader = { readonly name: string; readonly value: string };

const MAX_HEADER = { name: 64, value: 1024 } as const;

/** Headers that frame, route or sign the message; a custom value would change its meaning. */
const reservedHeaders =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept-encoding|user-agent|proxy-.*|webhook-.*)$/i;

/** Returns why a header may not be sent, in a sentence without its value; undefined when it may. */
export const findHeaderError = ({ name, value }: CustomHeader): string | undefined => {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name.length > MAX_HEADER.name)
    return `a header name must have 1 to ${MAX_HEADER.name} letters, digits and characters such as -, not '${name}'`;
  if (reservedHeaders.test(name)) return `the header '${name}' is set by the service`;
  // Characters beyond ASCII are sent in an encoding that receivers interpret differently.
  return /^[!-~](?:[ -~]*[!-~])?$/.test(value) && value.length <= MAX_HEADER.value
    ? undefined
    : `the value of '${name}' must be 1 to ${MAX_HEADER.value} visible ASCII characters, without spaces at its ends`;
};
