import {
  buildCarrier,
  header,
  buildLeg,
  buildSecondLeg,
  buildSegment,
  buildTrailer,
  buildWholeFile,
} from '../../../feeds/ssim/build-file.ts';

/**
 * The schedule of these tests, June 2026 (the 1st is a Monday):
 *
 * | flight  | way         | period  | days                 | what it is                                     |
 * |---------|-------------|---------|----------------------|------------------------------------------------|
 * | XX 101  | LHR-JFK     | 1 to 30 | every day            | operating, sold as YY 5101, seats known        |
 * | XX 301  | LHR-JFK-LAX | 1 to 30 | every day            | two legs and the whole flight: three records   |
 * | XX 501  | LHR-CDG     | 1 to 30 | every other Monday   | cargo, service type F                          |
 * | XX 502  | LHR-CDG     | 10 to 20| Sundays              | an extra passenger flight, type G, suffix A    |
 * | XX 502  | LHR-CDG     | 21 to 30| Tuesdays             | the same, later                                |
 * | YY 5101 | LHR-JFK     | 1 to 30 | every day            | marketing, operated as XX 101                  |
 * | YY 201  | LIS-OPO     | 8 to 8  | Monday               | on one day only                                |
 */
export const schedule = buildWholeFile(
  header,
  buildCarrier(),
  buildLeg({ 53: '5', 71: '8', 76: 'JWY', 173: 'J30W21Y178' }),
  buildSegment(10, 'YY 5101 '),
  buildLeg({ 6: '0301', 40: '0800', 44: '0800', 58: '1100', 62: '1100' }),
  buildSecondLeg({ 6: '0301', 40: '1300', 44: '1300', 58: '1600', 62: '1600' }),
  buildLeg({
    6: '0501',
    14: 'F',
    29: '1      2',
    40: '0600',
    44: '0600',
    55: 'CDG',
    58: '0815',
    62: '0815',
    66: '+0200',
    73: '320',
  }),
  buildLeg({
    2: 'A',
    6: '0502',
    14: 'G',
    15: '10JUN26',
    22: '20JUN26',
    29: '      7',
    55: 'CDG',
    58: '1315',
    62: '1315',
    66: '+0200',
    73: '320',
  }),
  buildLeg({
    2: 'A',
    6: '0502',
    10: '02',
    14: 'G',
    15: '21JUN26',
    29: ' 2     ',
    55: 'CDG',
    58: '1315',
    62: '1315',
    66: '+0200',
    73: '320',
  }),
  buildTrailer('C'),
  buildCarrier({ 3: 'YY' }),
  buildLeg({ 3: 'YY', 6: '5101', 129: 'XX', 149: 'L' }),
  buildSegment(50, 'XX 0101 ', { 3: 'YY', 6: '5101' }),
  buildLeg({
    3: 'YY',
    6: '0201',
    15: '08JUN26',
    22: '08JUN26',
    29: '1      ',
    37: 'LIS',
    55: 'OPO',
    58: '1200',
    62: '1200',
    66: '+0100',
    73: '320',
  }),
  buildTrailer('E', 'YY'),
);
