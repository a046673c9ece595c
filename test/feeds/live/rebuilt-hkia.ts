import { z } from 'zod';
import type { LiveRequest } from '#feeds/live/live-row.ts';
import { hkiaRequest, writeHkia } from './live-inputs.ts';

const processed = z.object({
  date: z.string(),
  flights: z.array(
    z.object({
      date: z.string(),
      time: z.string(),
      flight: z.array(z.object({ no: z.string(), airline: z.string() })),
      origin_dest: z.array(z.string()),
      status: z.string(),
      gate_baggage: z.string(),
      terminal: z.string(),
      isArrival: z.boolean(),
      isCargo: z.boolean(),
      _raw: z.record(z.string(), z.unknown()),
    }),
  ),
});

/** A row of a processed capture. */
type ProcessedRow = z.infer<typeof processed>['flights'][number];

const toRawRow = ({ origin_dest, gate_baggage, isArrival, time, flight, status, terminal, _raw }: ProcessedRow) => ({
  time,
  flight,
  status,
  statusCode: null,
  terminal,
  ..._raw,
  ...(isArrival ? { origin: origin_dest, baggage: gate_baggage } : { destination: origin_dest, gate: gate_baggage }),
});

/** Rebuilds the four answers of a day, arrivals first, from a capture that others have processed. */
export const rebuildHkia = (bytes: Buffer): readonly { readonly request: LiveRequest; readonly bytes: Buffer }[] => {
  const { date, flights } = processed.parse(JSON.parse(bytes.toString()));
  return [true, false].flatMap((arrival) =>
    [false, true].map((cargo) => {
      const rows = flights.filter((one) => one.isArrival === arrival && one.isCargo === cargo);
      return {
        request: hkiaRequest(date, { arrival, cargo }),
        bytes: writeHkia({ [date]: rows.map(toRawRow) }, { arrival, cargo }),
      };
    }),
  );
};
