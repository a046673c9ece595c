import { createLoadReport, type LoadReport } from '../../../src/feeds/load-report.ts';
import { readSchedules } from '../../../src/feeds/ssim/read-schedules.ts';
import type { CarrierSchedule, Itinerary } from '../../../src/domain/schedule/schedule.ts';

/** Byte columns by first position: `{ 37: 'LHR' }` puts LHR at bytes 37-39. */
export type Bytes = Readonly<Record<number, string>>;

/** A record of 194 bytes; the serial number is added when the file is put together. */
export const record = (...layers: readonly Bytes[]): string => {
  const bytes = Array.from({ length: 194 }, () => ' ');
  for (const layer of layers) {
    for (const [from, text] of Object.entries(layer))
      for (let index = 0; index < text.length; index += 1) bytes[Number(from) - 1 + index] = text[index] ?? ' ';
  }
  return bytes.join('');
};

export const header = record({ 1: '1AIRLINE STANDARD SCHEDULE DATA SET', 41: '1', 192: '001' });

/** A carrier XX in local time, valid from 1 January to 31 December 2026, unless told otherwise. */
export const carrier = (bytes: Bytes = {}): string => record({ 1: '2L', 3: 'XX', 15: '01JAN26', 22: '31DEC26' }, bytes);

/** XX 0101/01/01 LHR-JFK every day of June 2026, 1100 +0100 to 1400 -0400, unless told otherwise. */
export const leg = (bytes: Bytes = {}): string =>
  record(
    { 1: '3', 3: 'XX', 6: '0101', 10: '01', 12: '01', 14: 'J', 15: '01JUN26', 22: '30JUN26', 29: '1234567' },
    {
      37: 'LHR',
      40: '1100',
      44: '1100',
      48: '+0100',
      55: 'JFK',
      58: '1400',
      62: '1400',
      66: '-0400',
      73: '789',
      193: '00',
    },
    bytes,
  );

/** A second leg JFK-LAX of the same flight on the same day, 1600 -0400 to 1900 -0700, unless told otherwise. */
export const secondLeg = (bytes: Bytes = {}): string =>
  leg({
    12: '02',
    37: 'JFK',
    40: '1600',
    44: '1600',
    48: '-0400',
    55: 'LAX',
    58: '1900',
    62: '1900',
    66: '-0700',
    ...bytes,
  });

/** Segment data of the first leg. */
export const segment = (dei: number, data: string, bytes: Bytes = {}): string =>
  record(
    {
      1: '4',
      3: 'XX',
      6: '0101',
      10: '01',
      12: '01',
      14: 'J',
      29: 'AB',
      31: String(dei).padStart(3, '0'),
      34: 'LHRJFK',
      40: data,
    },
    bytes,
  );

/** A record 5; its check reference is put in with the serial numbers. */
export const trailer = (status: 'C' | 'E', name = 'XX'): string =>
  record({ 1: '5', 3: name, 188: '??????', 194: status });

/** Numbers the records from 000001 on; lines that are not 194 characters long stay as they are and carry no number. */
export const numbered = (records: readonly string[]): readonly string[] => {
  let serial = 0;
  return records.map((text) => {
    if (text.length !== 194) return text;
    const before = String(serial).padStart(6, '0');
    serial += 1;
    return text.replace('??????', before) + String(serial).padStart(6, '0');
  });
};

export const zeros = '0'.repeat(200);

/** A file of one carrier XX with these records in it. */
export const fileOf = (...records: readonly string[]): string =>
  `${numbered([header, carrier(), ...records, trailer('E')]).join('\n')}\n`;

/** A file of whole records, from the header on. */
export const wholeFile = (...records: readonly string[]): string => `${numbered(records).join('\n')}\n`;

export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export type Loaded = {
  readonly schedules: readonly CarrierSchedule[];
  readonly itineraries: readonly Itinerary[];
  readonly report: LoadReport;
  /** `severity reason line`, as entered. */
  readonly remarks: readonly string[];
};

/** Reads a file given as text, one byte for each character, in chunks of some odd size. */
export const load = async (text: string, chunkSize = 777): Promise<Loaded> => {
  const report = createLoadReport('test');
  const schedules = await readSchedules(inChunks(Buffer.from(text, 'latin1'), chunkSize), report);
  const remarks = report.entries.map(({ severity, reason, line }) => `${severity} ${reason} ${line}`);
  return { schedules, itineraries: schedules.flatMap((schedule) => schedule.itineraries), report, remarks };
};
