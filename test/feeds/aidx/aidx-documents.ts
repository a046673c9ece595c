import type { UtcMillisecond } from '#domain/status/instants.ts';
import { readAidx, type AidxItem } from '#feeds/aidx/read-aidx.ts';
import { splitIntoChunks } from '../ssim/build-file.ts';

const RECEIVED_AT = Date.parse('2027-03-01T18:00:00Z') as UtcMillisecond;

/** The identifier of XX 101 LHR-JFK of 1 March 2027. */
export const identifier = `<LegIdentifier><Airline CodeContext="3">XX</Airline><FlightNumber>0101</FlightNumber>
<DepartureAirport CodeContext="3">LHR</DepartureAirport><ArrivalAirport CodeContext="3">JFK</ArrivalAirport><OriginDate>2027-03-01</OriginDate></LegIdentifier>`;

/** A leg with this data. */
export const buildLeg = (data: string, head = identifier): string =>
  `<FlightLeg>${head}<LegData>${data}</LegData></FlightLeg>`;

export const buildDocument = (legs: string, attributes = 'TimeStamp="2027-03-01T11:00:00Z" Version="22.1"'): string =>
  `<?xml version="1.0" encoding="utf-8"?><IATA_AIDX_FlightLegNotifRQ xmlns="http://www.iata.org/IATA/2007/00" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ${attributes}>${legs}</IATA_AIDX_FlightLegNotifRQ>`;

/** Reads a document that arrives in pieces. */
export const readDocument = async (document: string | Buffer): Promise<readonly AidxItem[]> => {
  const items: AidxItem[] = [];
  const bytes = splitIntoChunks(Buffer.from(document), 11);
  for await (const item of readAidx(bytes, { receivedAt: RECEIVED_AT })) items.push(item);
  return items;
};

/** `path value: message` of each remark. */
export const describeRemarks = (items: readonly AidxItem[]): readonly string[] =>
  items.flatMap((item) =>
    'entry' in item
      ? [`${item.entry.severity} ${item.entry.field ?? ''} ${item.entry.value}: ${item.entry.message}`]
      : [],
  );
