import type { CarrierSchedule, Itinerary } from '#domain/schedule/schedule.ts';
import { createLoadReport, type LoadReport } from '#feeds/load-report.ts';
import { readSchedules } from '#feeds/ssim/read-schedules.ts';

/** Reads one leg together with a valid one, so that the file is accepted in any case. */
export const readOneLeg = async (...layers: readonly RecordBytes[]) => {
  const { itineraries, report, remarks } = await readFileText(buildFile(buildLeg({ 6: '9999' }), buildLeg(...layers)));
  const legs = itineraries.flatMap((itinerary) => itinerary.legs).filter(({ flightNumber }) => flightNumber !== 9999);
  return { leg: legs[0], entries: report.entries, remarks };
};

/** Byte columns by first position: `{ 37: 'LHR' }` puts LHR at bytes 37-39. */
export type RecordBytes = Readonly<Record<number, string>>;

/** Builds a record of 194 bytes; the serial number is added when the file is built. */
export const buildRecord = (...layers: readonly RecordBytes[]): string => {
  const bytes = Array.from({ length: 194 }, () => ' ');
  for (const layer of layers) {
    for (const [from, text] of Object.entries(layer))
      for (let index = 0; index < text.length; index += 1) bytes[Number(from) - 1 + index] = text[index] ?? ' ';
  }
  return bytes.join('');
};

export const header = buildRecord({ 1: '1AIRLINE STANDARD SCHEDULE DATA SET', 41: '1', 192: '001' });

/** Builds a carrier record: by default XX in local time, valid from 1 January to 31 December 2026. */
export const buildCarrier = (bytes: RecordBytes = {}): string =>
  buildRecord({ 1: '2L', 3: 'XX', 15: '01JAN26', 22: '31DEC26' }, bytes);

/** Builds a leg record: by default XX 0101/01/01 LHR-JFK daily in June 2026, 1100 +0100 to 1400 -0400. */
export const buildLeg = (...layers: readonly RecordBytes[]): string =>
  buildRecord(
    { 1: '3', 3: 'XX', 6: '0101', 10: '01', 12: '01', 14: 'J', 15: '01JUN26', 22: '30JUN26', 29: '1234567' },
    { 37: 'LHR', 48: '+0100', 55: 'JFK', 66: '-0400', 73: '789', 193: '00' },
    times('1100', '1400'),
    ...layers,
  );

export const times = (departure: string, arrival: string): RecordBytes => {
  return { 40: departure, 44: departure, 58: arrival, 62: arrival };
};

/** Builds a second leg of the same flight: by default JFK-LAX on the same day, 1600 -0400 to 1900 -0700. */
export const buildSecondLeg = (bytes: RecordBytes = {}): string =>
  buildLeg({ 12: '02', 37: 'JFK', 48: '-0400', 55: 'LAX', 66: '-0700' }, times('1600', '1900'), bytes);

export const buildSegment = (dei: number, data: string, bytes: RecordBytes = {}): string =>
  buildRecord(
    { 1: '4', 3: 'XX', 6: '0101', 10: '01', 12: '01', 14: 'J', 29: 'AB', 34: 'LHRJFK', 40: data },
    { 31: String(dei).padStart(3, '0') },
    bytes,
  );

/** Builds a record 5; its check reference is added with the serial numbers. */
export const buildTrailer = (status: 'C' | 'E', name = 'XX'): string =>
  buildRecord({ 1: '5', 3: name, 188: '??????', 194: status });

/** Numbers the records from 000001 on; lines that are not 194 characters long stay as they are without a number. */
const numberRecords = (records: readonly string[]): readonly string[] => {
  let serial = 0;
  return records.map((text) => {
    if (text.length !== 194) return text;
    const before = String(serial).padStart(6, '0');
    serial += 1;
    return text.replace('??????', before) + String(serial).padStart(6, '0');
  });
};

export const zeroRecord = '0'.repeat(200);

/** Builds a file of one carrier, by default XX, with these records. */
export const buildCarrierFile = (bytes: RecordBytes, ...records: readonly string[]): string =>
  buildWholeFile(header, buildCarrier(bytes), ...records, buildTrailer('E', bytes[3]));
export const buildFile = (...records: readonly string[]): string => buildCarrierFile({}, ...records);

export const buildWholeFile = (...records: readonly string[]): string => `${numberRecords(records).join('\n')}\n`;

export async function* splitIntoChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export type LoadedFile = {
  readonly schedules: readonly CarrierSchedule[];
  readonly itineraries: readonly Itinerary[];
  readonly report: LoadReport;
  /** `severity reason line` of each entry. */
  readonly remarks: readonly string[];
};

/** Reads a file given as text, one byte for each character, in chunks of an odd size. */
export const readFileText = async (text: string, chunkSize = 777): Promise<LoadedFile> => {
  const report = createLoadReport('test');
  const schedules = await readSchedules(splitIntoChunks(Buffer.from(text, 'latin1'), chunkSize), report);
  const remarks = report.entries.map(({ severity, reason, line }) => `${severity} ${reason} ${line}`);
  return { schedules, itineraries: schedules.flatMap((schedule) => schedule.itineraries), report, remarks };
};
