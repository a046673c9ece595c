/** A header of the receiver's own choice, e.g. `x-api-key`; its value is a secret. */
export type CustomHeader = { readonly name: string; readonly value: string };

export const MAX_HEADER = { name: 64, value: 1024 } as const;

/** Headers that say how the message is framed, routed or signed; a value for one would make it another message. */
const taken =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept-encoding|user-agent|proxy-.*|webhook-.*)$/i;

/** Why a header may not be sent with events, in a sentence that never repeats its value; undefined when it may. */
export const headerRefusal = ({ name, value }: CustomHeader): string | undefined => {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name.length > MAX_HEADER.name)
    return `a header has a name of 1 to ${MAX_HEADER.name} letters, digits and signs such as -, not '${name}'`;
  if (taken.test(name)) return `the header '${name}' is set by the service`;
  // Letters beyond ASCII would be sent in an encoding that receivers read differently.
  return /^[!-~](?:[ -~]*[!-~])?$/.test(value) && value.length <= MAX_HEADER.value
    ? undefined
    : `the value of '${name}' must be 1 to ${MAX_HEADER.value} visible ASCII characters, without spaces at its ends`;
};
