import { buildCarrier, header, buildLeg, buildSegment, buildTrailer } from '#test/feeds/ssim/build-file.ts';
import { buildWholeFile } from '#test/feeds/ssim/build-file.ts';
import type { RecordBytes } from '#test/feeds/ssim/build-file.ts';

const season: RecordBytes = { 15: '25OCT26', 22: '27MAR27' };
const saturdays: RecordBytes = { 29: '     6 ' };
const nextDay: RecordBytes = { 193: '01' };
const wide: RecordBytes = { 73: '789', 76: 'JWY', 101: 'MDMDMD', 173: 'J30W28Y190' };
const narrow: RecordBytes = { 73: '320', 76: 'JY', 101: 'S S', 173: 'J8Y150' };
const freighter: RecordBytes = { 14: 'F', 76: '', 101: '', ...saturdays };

/** An airport with its terminal and its winter UTC offset. */
type Stop = readonly [airport: string, terminal: string, utcVariation: string];

const heathrow: Stop = ['LHR', '5', '+0000'];
const cargoCentre: Stop = ['LHR', '', '+0000'];
const gatwick: Stop = ['LGW', '', '+0000'];
const glasgow: Stop = ['GLA', '', '+0000'];
const paris: Stop = ['CDG', '', '+0100'];
const porto: Stop = ['OPO', '', '+0000'];
const kennedy: Stop = ['JFK', '8', '-0500'];
const kennedyCargo: Stop = ['JFK', '', '-0500'];
const boston: Stop = ['BOS', '', '-0500'];
const singapore: Stop = ['SIN', '1', '+0800'];
const sydney: Stop = ['SYD', '1', '+1100'];

/** A leg of `ZX0101` from one airport to another at local times. */
const fly = (
  designator: string,
  [[board, boardTerminal, boardTime], departs]: readonly [Stop, string],
  [[off, offTerminal, offTime], arrives, more]: readonly [Stop, string, RecordBytes],
): string =>
  buildLeg({
    3: designator.slice(0, 2),
    6: designator.slice(2),
    ...season,
    37: board,
    40: departs,
    44: departs,
    48: boardTime,
    53: boardTerminal,
    55: off,
    58: arrives,
    62: arrives,
    66: offTime,
    71: offTerminal,
    ...more,
  });

const about = (designator: string, route: string, [dei, data]: readonly [number, string]): string =>
  buildSegment(dei, data, { 3: designator.slice(0, 2), 6: designator.slice(2), 34: route });

const carrierOf = (code: string): string => buildCarrier({ 3: code, ...season, 170: '9', 189: 'ET' });

const fromSydney = { ...wide, 15: '02NOV26', 22: '26MAR27', 29: '1 3 5  ', 73: '388', 173: 'J60W40Y340' };
const fromSingapore = { ...wide, 12: '02', 15: '03NOV26', 29: ' 2 4 6 ', 193: '11' };
const everyOtherWeek = { ...freighter, 15: '31OCT26', 36: '2', 73: '77X', 173: 'LL04PP27' };
const zenith = [
  fly('ZX0015', [sydney, '2100'], [singapore, '0200', { ...fromSydney, ...nextDay }]),
  fly('ZX0015', [singapore, '0330'], [heathrow, '0940', fromSingapore]),
  fly('ZX0101', [heathrow, '1100'], [kennedy, '1400', { ...wide, 173: 'J30W28Y190LL08PP04' }]),
  about('ZX0101', 'LHRJFK', [10, '9Q 5101 ']),
  about('ZX0101', 'LHRJFK', [501, '01/8']),
  about('ZX0101', 'LHRJFK', [502, '01/14/06/N/02']),
  about('ZX0101', 'LHRJFK', [504, 'S']),
  fly('ZX0117', [heathrow, '1700'], [kennedy, '2000', { ...wide, 29: '      7' }]),
  fly('ZX0205', [heathrow, '1215'], [glasgow, '1340', { ...narrow, 29: '12345  ' }]),
  fly('ZX0302', [heathrow, '1230'], [paris, '1450', { ...narrow, 2: 'A', 14: 'L' }]),
  fly('ZX1302', [glasgow, '0700'], [heathrow, '0825', narrow]),
  fly('ZX7001', [cargoCentre, '2200'], [kennedyCargo, '0100', { ...everyOtherWeek, ...nextDay }]),
  fly('ZX7010', [glasgow, '1900'], [cargoCentre, '2030', { ...freighter, 73: '320' }]),
];

const nine = [
  fly('9Q0088', [kennedy, '1600'], [boston, '1720', narrow]),
  fly('9Q5101', [heathrow, '1100'], [kennedy, '1400', { ...wide, 129: 'ZX', 149: 'L' }]),
  about('9Q5101', 'LHRJFK', [50, 'ZX 0101 ']),
];

/**
 * The winter of the examples: three carriers, all invented, between real airports.
 *
 * | flight        | route       | purpose                                                                     |
 * |---------------|-------------|-----------------------------------------------------------------------------|
 * | ZX 101        | LHR-JFK     | daily, sold as 9Q 5101: the flight in the examples of all products          |
 * | ZX 117        | LHR-JFK     | on Sundays; that of 28 February is diverted                                 |
 * | ZX 15         | SYD-SIN-LHR | with a stop and another aircraft from there on                              |
 * | ZX 205, 1302  | LHR-GLA     | on working days, and back every day: the feeder of connections              |
 * | ZX 302A       | LHR-CDG     | passengers and freight, with an operational suffix                          |
 * | ZX 7010, 7001 | GLA-LHR-JFK | freighters on Saturdays, ZX 7001 on every other                             |
 * | 9Q 88         | JFK-BOS     | interline with ZX 101                                                       |
 * | 0Z 440        | LGW-OPO     | of a carrier without partners, from the other airport of London             |
 */
export const exampleSchedule = buildWholeFile(
  header,
  carrierOf('0Z'),
  fly('0Z0440', [gatwick, '1330'], [porto, '1550', narrow]),
  buildTrailer('C', '0Z'),
  carrierOf('9Q'),
  ...nine,
  buildTrailer('C', '9Q'),
  carrierOf('ZX'),
  ...zenith,
  buildTrailer('E', 'ZX'),
);
