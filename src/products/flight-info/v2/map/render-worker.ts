import { parentPort } from 'node:worker_threads';
import { renderFlightPage } from './render-flight-page.ts';
import { buildFlightMap } from './flight-map.ts';
import type { FlightMapSource } from './map-source.ts';

/** A page to be drawn; `now` is milliseconds since 1970. The answer bears the same number. */
export type RenderRequest = { readonly number: number; readonly source: FlightMapSource; readonly now: number };

/** A page in UTF-8, or why it could not be drawn. */
export type RenderResult = { readonly number: number } & (
  | { readonly page: Uint8Array<ArrayBuffer> }
  | { readonly fault: unknown }
);

// As bytes, a page is handed over rather than copied, and takes half the memory: it is text beyond Latin-1.
parentPort?.on('message', ({ number, source, now }: RenderRequest) => {
  const answer = (drawn: RenderResult, handedOver: readonly ArrayBuffer[]): void =>
    parentPort?.postMessage(drawn, [...handedOver]);
  try {
    const page = new TextEncoder().encode(renderFlightPage(buildFlightMap(source, now)));
    answer({ number, page }, [page.buffer]);
  } catch (fault) {
    answer({ number, fault }, []);
  }
});
