import { parse } from 'csv-parse/sync';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { FlightInstance } from '#generated/flight-info/v2/types.gen.ts';
import { createFlightEncoder } from '#jobs/export/flight-encoders.ts';

const end = (iata: string, utc: string): FlightInstance['departure'] => ({
  airport: { iata },
  date: { local: '2026-06-01', utc: '2026-06-01' },
  time: { local: utc, utc },
});

const toFlight = (flightNumber: number): FlightInstance => ({
  carrier: { iata: 'XX' },
  flightNumber,
  flightType: 'GA',
  departure: end('LHR', '10:00'),
  arrival: end('CDG', '11:00'),
  elapsedTime: 60,
  aircraftType: {},
  serviceType: {},
  segmentInfo: { numberOfStops: 0, intermediateAirports: { iata: [] } },
  codeshare: { jointOperationAirlineDesignators: [], marketingFlights: [] },
  statusKey: `key ${flightNumber}`,
  isOperating: true,
});

test('a Parquet file has a row group for 20,000 flights, and all flights in order', async () => {
  const encoder = createFlightEncoder('parquet');
  const numbers = Array.from({ length: 45_000 }, (_, number) => number);
  const parts: Uint8Array[] = [];
  for (let start = 0; start < numbers.length; start += 5000) {
    const page = numbers.slice(start, start + 5000);
    parts.push(await encoder.encode(page.map((number) => Buffer.from(JSON.stringify(toFlight(number))))));
  }
  parts.push(await encoder.end());
  const file = await new Blob(parts.map((part) => new Uint8Array(part))).arrayBuffer();
  const rows = await parquetReadObjects({ file, columns: ['flight_number', 'status_key', 'state'] });
  expect([parquetMetadata(file).row_groups.map((group) => Number(group.num_rows)), rows]).toEqual([
    [20_000, 20_000, 5000],
    numbers.map((number) => ({ flight_number: number, status_key: `key ${number}`, state: null })),
  ]);
});

test('CSV has the texts of the API, quoted, and no cell or row more', async () => {
  const encoder = createFlightEncoder('csv');
  const text = '=cmd()|"a",\nb';
  const rows = [text, 'next'].map((statusKey) => Buffer.from(JSON.stringify({ ...toFlight(1), statusKey })));
  const csv = Buffer.concat([await encoder.encode(rows), await encoder.end()]).toString();
  const [header = [], ...lines] = parse(csv);
  const cells = lines.map((line) => line[header.indexOf('status_key')]);
  expect(cells).toEqual([text, 'next']);
});
