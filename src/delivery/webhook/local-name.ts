/** Whether a host name means something else in every network (RFC 6761, RFC 6762, RFC 8375), or would be completed by a search list. */
export const isLocalName = (host: string): boolean =>
  !host.includes('.') || /(^|\.)(localhost|local|internal|home\.arpa)$/.test(host);
