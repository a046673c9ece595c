import type { Schedule } from '../../../../generated/schedules/v1/types.gen.ts';
import { localDate } from '../../../../src/domain/dates.ts';
import { newDirectory, stationIn, type Directory } from '../../../../src/domain/directory.ts';
import { recordFingerprint } from '../../../../src/domain/keys.ts';
import { onTimePerformance } from '../../../../src/domain/on-time.ts';
import type { FlightSegment } from '../../../../src/domain/schedule.ts';
import { recordsOf } from '../../../../src/domain/schedule-records.ts';
import { segmentsOf } from '../../../../src/domain/segments.ts';
import { seatsText } from '../../../../src/products/flight-info/v2/show.ts';
import { showObserved, showRecord, showSeats } from '../../../../src/products/schedules/v1/show-record.ts';
import { carrier, header, leg, load, segment, trailer, wholeFile, type Bytes } from '../../../feeds/ssim/build-file.ts';

const place = (
  id: number,
  codes: readonly [string, string, string?],
  rest: readonly [string, number, number, string],
) => {
  const [iata, icao, faa = ''] = codes;
  const [countryCode, latitude, longitude, zone] = rest;
  return { id, iata, icao, faa, name: '', cityCode: '', countryCode, latitude, longitude, zone };
};

/** The airports, carriers and aircraft of the contract's examples. */
export const exampleDirectory: Directory = newDirectory({
  locations: [
    place(1, ['LHR', 'EGLL'], ['GB', 51.4706, -0.461941, 'Europe/London']),
    place(2, ['JFK', 'KJFK', 'JFK'], ['US', 40.639801, -73.7789, 'America/New_York']),
    place(3, ['GLA', 'EGPF'], ['GB', 55.8735, -4.43306, 'Europe/London']),
    place(4, ['SYD', 'YSSY'], ['AU', -33.946098, 151.177002, 'Australia/Sydney']),
    place(5, ['SIN', 'WSSS'], ['SG', 1.35019, 103.994003, 'Asia/Singapore']),
  ],
  carriers: [
    { id: 1, iata: 'ZX', icao: 'ZXA', name: 'Zenith Example Airways', rank: 1 },
    { id: 2, iata: '9Q', icao: 'NQB', name: 'Nine Quiet Birds', rank: 1 },
  ],
  equipment: [
    { iata: '789', icao: 'B789', name: '', cargoTonnes: 15 },
    { iata: '388', icao: 'A388', name: '', cargoTonnes: 12 },
    { iata: '320', icao: 'A320', name: '', cargoTonnes: 2 },
    { iata: '77X', icao: 'B77L', name: '', cargoTonnes: 103 },
  ],
  inUse: { carriers: new Set(), locations: new Set() },
});

const winter: Bytes = { 3: 'ZX', 15: '25OCT26', 22: '27MAR27' };
const london: Bytes = { 37: 'LHR', 48: '+0000', 53: '5' };
const newYork: Bytes = {
  37: 'LHR',
  40: '1100',
  44: '1100',
  48: '+0000',
  53: '5',
  55: 'JFK',
  58: '1400',
  62: '1400',
  66: '-0500',
  71: '8',
};
const sydney: Bytes = { 6: '0015', 73: '388', 76: 'JWY', 101: 'MDMDMD', 173: 'J60W40Y340' };

const zenith = [
  carrier({ 3: 'ZX', 15: '25OCT26', 22: '27MAR27', 170: '9', 189: 'ET' }),
  leg({
    ...winter,
    ...sydney,
    15: '01NOV26',
    22: '26MAR27',
    29: '1 3 5 7',
    37: 'SYD',
    40: '2100',
    44: '2100',
    48: '+1100',
    53: '1',
    55: 'SIN',
    58: '0200',
    62: '0200',
    66: '+0800',
    71: '1',
    193: '01',
  }),
  leg({
    ...winter,
    ...sydney,
    12: '02',
    15: '02NOV26',
    29: '12 4 6 ',
    37: 'SIN',
    40: '0330',
    44: '0330',
    48: '+0800',
    53: '1',
    55: 'LHR',
    58: '0940',
    62: '0940',
    66: '+0000',
    71: '5',
    73: '789',
    173: 'J30W28Y190',
    193: '11',
  }),
  leg({ ...winter, ...newYork, 6: '0101', 76: 'JWY', 101: 'MDMDMD', 173: 'J30W28Y190' }),
  segment(10, '9Q 5101 ', { 3: 'ZX' }),
  segment(501, '01/8', { 3: 'ZX' }),
  segment(502, '01/14/06/N/02', { 3: 'ZX' }),
  leg({
    ...winter,
    ...london,
    6: '0205',
    29: '12345  ',
    40: '1215',
    44: '1215',
    55: 'GLA',
    58: '1340',
    62: '1340',
    66: '+0000',
    73: '320',
    76: 'JY',
    101: 'S S',
    173: 'J8Y150',
  }),
  leg({
    ...winter,
    ...newYork,
    6: '7001',
    14: 'F',
    29: '     6 ',
    36: '2',
    15: '31OCT26',
    40: '2200',
    44: '2200',
    53: '',
    58: '0100',
    62: '0100',
    71: '',
    73: '77X',
    76: '',
    173: 'LL04PP27',
    193: '01',
  }),
];

const nine = [
  carrier({ 3: '9Q', 15: '25OCT26', 22: '27MAR27', 170: '9', 189: 'ET' }),
  leg({ ...winter, ...newYork, 3: '9Q', 6: '5101', 76: 'JWY', 101: 'MDMDMD', 129: 'ZX', 149: 'L', 173: 'J30W28Y190' }),
  segment(50, 'ZX 0101 ', { 3: '9Q', 6: '5101' }),
];

const ssim = wholeFile(header, ...nine, trailer('C', '9Q'), ...zenith, trailer('E', 'ZX'));

const observed = onTimePerformance(
  { flights: 120, arrivedOnTime: 96, arrivedLate: 19, cancelled: 4, diverted: 1, departures: 120, departedOnTime: 98 },
  { from: localDate('2026-11-01'), to: localDate('2027-02-28') },
);

type Shown = { readonly carrier: string; readonly record: Schedule };

const show = (planned: FlightSegment, firstLeg: FlightSegment['legs'][0], withSeats: boolean): readonly Shown[] =>
  recordsOf(planned, { firstLeg, zoneOf: (station) => stationIn(exampleDirectory, station)?.zone }).map((record) => {
    const [board, off] = [planned.legs[0].departure.station, planned.legs.at(-1)?.arrival.station ?? ''];
    const fingerprint = recordFingerprint({ designator: planned, board, off, period: record.period, occurrence: 1 });
    const isSeen = [101, 5101].includes(planned.flightNumber);
    const text = `${showRecord(planned, { record, fingerprint }, exampleDirectory)}${showObserved(isSeen ? observed : undefined)}},"premiumContent":${showSeats(withSeats ? seatsText(planned) : undefined)}}`;
    return { carrier: planned.carrier, record: JSON.parse(text) };
  });

const legOrder = ({ segmentInfo, sequenceNumber }: Schedule): number =>
  segmentInfo.numberOfStops > 0 ? 0 : sequenceNumber;

const inOrder = (a: Shown, b: Shown): number =>
  (a.carrier < b.carrier ? -1 : a.carrier > b.carrier ? 1 : 0) ||
  a.record.flightNumber - b.record.flightNumber ||
  a.record.effectivePeriod.startDate.localeCompare(b.record.effectivePeriod.startDate) ||
  legOrder(a.record) - legOrder(b.record) ||
  a.record.fingerprint.localeCompare(b.record.fingerprint);

/** Every record of the two carriers of the examples in the order of the list, with seats or without. */
export const exampleRecords = async ({ withSeats }: { readonly withSeats: boolean }): Promise<readonly Schedule[]> => {
  const { itineraries, remarks } = await load(ssim);
  if (remarks.length > 0) throw new Error(remarks.join('; '));
  return itineraries
    .flatMap((itinerary) => segmentsOf(itinerary).flatMap((each) => show(each, itinerary.legs[0], withSeats)))
    .toSorted(inOrder)
    .map(({ record }) => record);
};
