import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import type { Position } from '#domain/master-data/distance.ts';

/** The boundaries of time zones. */
export type ZoneBoundaries = {
  /** The day of the boundaries, `YYYY-MM-DD`. */
  readonly date: string;
  /** Lists the IANA names of the zones at a position: none in the open sea, several where the time is disputed. */
  readonly listZones: (position: Position) => readonly string[];
};

type Header = {
  readonly date: string;
  readonly rowsPerDegree: number;
  readonly stepsPerDegree: number;
  readonly zones: readonly (readonly string[])[];
};

const NEWLINE = 10;

/** Decodes boundaries; the encoder describes the format. */
export const decodeZoneBoundaries = (bytes: Uint8Array): ZoneBoundaries => {
  let offset = bytes.indexOf(NEWLINE) + 1;
  const header: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, offset)));
  const { date, rowsPerDegree, stepsPerDegree, zones } = header;
  const readNumber = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[offset++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const rows = Array.from({ length: 180 * rowsPerDegree }, () => {
    const count = readNumber();
    const runs = { ends: new Uint32Array(count), zones: new Uint16Array(count) };
    let end = 0;
    for (let index = 0; index < count; index++) {
      runs.zones[index] = readNumber();
      end += readNumber();
      runs.ends[index] = end;
    }
    return runs;
  });
  return {
    date,
    listZones: ({ latitude, longitude }) => {
      const row = rows[Math.min(Math.floor((latitude + 90) * rowsPerDegree), rows.length - 1)];
      const step = ((longitude + 540) % 360) * stepsPerDegree;
      const run = row?.ends.findIndex((end) => step < end) ?? -1;
      return zones[row?.zones[run] ?? 0] ?? [];
    },
  };
};

/** Reads the boundaries that the package contains. This takes about 20 ms and 10 MB, so it is done only to build master data. */
export const readZoneBoundaries = async (): Promise<ZoneBoundaries> =>
  decodeZoneBoundaries(brotliDecompressSync(await readFile(new URL('./zone-boundaries.br', import.meta.url))));
