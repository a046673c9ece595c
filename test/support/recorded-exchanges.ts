/** A request and its response as sent over the wire. Clone the response before reading its body: it belongs to the caller. */
export type Exchange = { readonly request: Request; readonly response: Response };

type App = (request: Request) => Promise<Response>;
type Listener = (exchange: Exchange) => void;

const listeners = new Set<Listener>();

/** Calls a listener for every exchange of this test file. Returns a function that removes the listener. */
export const recordExchanges = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Wraps a service so that its exchanges are recorded; listeners run before the caller receives the response. */
export const recordedExchanges =
  (app: App): App =>
  async (request) => {
    const response = await app(request);
    for (const listener of listeners) listener({ request, response });
    return response;
  };
