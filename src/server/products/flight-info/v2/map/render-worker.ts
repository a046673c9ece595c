import { parentPort } from 'node:worker_threads';
import { renderFlightPage } from './render-flight-page.ts';
import { buildFlightMap } from './flight-map.ts';
import type { FlightMapSource } from './map-source.ts';

/** A page to render; `now` is milliseconds since 1970. The result has the same number. */
export type RenderRequest = { readonly number: number; readonly source: FlightMapSource; readonly now: number };

/** A page in UTF-8, or the error. */
export type RenderResult = { readonly number: number } & (
  | { readonly page: Uint8Array<ArrayBuffer> }
  | { readonly error: unknown }
);

// Bytes are transferred and not copied, and take half the memory of a string with characters beyond Latin-1.
parentPort?.on('message', ({ number, source, now }: RenderRequest) => {
  const respond = (result: RenderResult, transferred: readonly ArrayBuffer[]): void =>
    parentPort?.postMessage(result, [...transferred]);
  try {
    const page = new TextEncoder().encode(renderFlightPage(buildFlightMap(source, now)));
    respond({ number, page }, [page.buffer]);
  } catch (error) {
    respond({ number, error }, []);
  }
});
