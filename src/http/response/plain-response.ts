/** An answer whose parts lie open: to read and to add to the headers of a `Response` costs more than the rest of a short answer. */
export type PlainAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
};

const PARTS = Symbol('parts');

/** A `Response` of which the front knows the parts. */
export const plainResponse = (plain: PlainAnswer): Response => {
  const { status, headers, body } = plain;
  const response = new Response(body, { status, headers });
  return Object.assign(response, { [PARTS]: plain });
};

/** The parts of a response that `plainResponse` made; undefined of any other. */
export const plainOf = (response: Response & { readonly [PARTS]?: PlainAnswer }): PlainAnswer | undefined =>
  response[PARTS];
