import { expect, test } from 'vitest';
import { buildSegments } from '#domain/schedule/segments.ts';
import { FeedError } from '#feeds/feed-error.ts';
import { reportFault } from '#test/faults/support/report-fault.ts';
import { createRandom } from '#test/lib/seeded-random.ts';
import { readFileText, type LoadedFile } from './build-file.ts';
import { findError } from './verify-schedules.ts';
import { mutate, validFiles } from './mutate.ts';

/** Every run is reproducible: the seed is printed, and MUTATION_SEED and MUTATION_RUNS replace the defaults. */
const seed = Number(process.env['MUTATION_SEED'] ?? 20_260_601);
const runs = Number(process.env['MUTATION_RUNS'] ?? 1000);
const countLines = (text: string): number => text.split('\n').length;

const unplaced = ({ report }: LoadedFile): string | undefined =>
  report.entries
    .filter(({ severity }) => severity === 'quarantined')
    .filter(({ line, bytes, reason, message }) => !line || !bytes || reason === '' || message === '')
    .map((entry) => JSON.stringify(entry))[0];

/** Returns the error in the result of a file; undefined if there is none. */
const wrongIn = (text: string, loaded: LoadedFile): string | undefined => {
  const complaint = findError(text, loaded);
  if (complaint !== undefined) return complaint;
  for (const itinerary of loaded.itineraries) {
    const segments = buildSegments(itinerary).length;
    const expected = itinerary.legs.length + (itinerary.complete && itinerary.legs.length > 1 ? 1 : 0);
    if (segments !== expected) return `${segments} segments of ${itinerary.legs.length} legs`;
  }
  return undefined;
};

/** Returns what is missing in the rejection of a file; undefined if it is complete. */
const wrongWith = (text: string, error: FeedError): string | undefined =>
  error.message === '' || (error.line ?? 1) > countLines(text)
    ? `a rejection without a reason: ${error.message}`
    : undefined;

test(
  `${runs} corrupted files are each read or rejected, never misread (seed ${seed})`,
  { timeout: 60_000 + 10 * runs },
  async () => {
    const random = createRandom(seed);
    const seen = { read: 0, rejected: 0, quarantined: 0, clean: 0 };
    const faults = { crashes: 0, 'wrong readings': 0, 'rejections without a reason': 0, 'remarks without a place': 0 };
    const first: string[] = [];
    for (let run = 0; run < runs; run += 1) {
      const note = (fault: keyof typeof faults, what: string | undefined): void => {
        if (what === undefined) return;
        faults[fault] += 1;
        if (first.length < 10) first.push(`run ${run} of seed ${seed}: ${fault}: ${what}`);
      };
      let text = random.pick(validFiles);
      for (let more = random.integer(1, 3); more > 0 && text !== ''; more -= 1) text = mutate(text, random);
      const loaded = await readFileText(text, 1 << 20).catch((error: unknown) => {
        if (error instanceof FeedError) note('rejections without a reason', wrongWith(text, error));
        else note('crashes', error instanceof Error ? String(error.stack) : String(error));
        return error instanceof FeedError ? 'rejected' : 'crashed';
      });
      if (typeof loaded === 'string') {
        seen.rejected += Number(loaded === 'rejected');
        continue;
      }
      note('wrong readings', wrongIn(text, loaded));
      note('remarks without a place', unplaced(loaded));
      seen.read += 1;
      if (loaded.report.entries.some(({ severity }) => severity === 'quarantined')) seen.quarantined += 1;
      if (loaded.report.entries.length === 0) seen.clean += 1;
    }
    const figure = { seed, mutations: runs, ...seen, ...faults };
    reportFault(21, figure, 'files');
    expect(first).toEqual([]);
    // The mutations must reach all outcomes, or the test would prove little.
    expect(Math.min(seen.read, seen.rejected, seen.quarantined, seen.clean)).toBeGreaterThan(runs / 200);
  },
);
