/** The other end of a connection; a `net.Socket` is one. */
export type Peer = { readonly remoteAddress?: string | undefined };

/** Returns the response to a request; `peer` is undefined where the connection is unknown. The router and what wraps it have this form. */
export type FetchHandler = (request: Request, peer?: Peer) => Promise<Response>;
