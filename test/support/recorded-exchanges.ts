/** A question and its answer as they went over the wire. The answer is the caller's: whoever looks into its body has to clone it. */
export type Exchange = { readonly request: Request; readonly response: Response };

type App = (request: Request) => Promise<Response>;
type Listener = (exchange: Exchange) => void;

const listeners = new Set<Listener>();

/** Tells a listener of every exchange with a world of this test file, whichever test has it; answers how to stop that. */
export const recordExchanges = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** A service whose exchanges can be overheard; listeners are told before the caller has the answer. */
export const recordedExchanges =
  (app: App): App =>
  async (request) => {
    const response = await app(request);
    for (const listener of listeners) listener({ request, response });
    return response;
  };
