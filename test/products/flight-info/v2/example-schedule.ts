import {
  buildCarrier,
  header,
  buildLeg,
  buildRecord,
  buildSecondLeg,
  buildSegment,
  buildTrailer,
  buildWholeFile,
} from '../../../feeds/ssim/build-file.ts';

/** 1 to 3 June 2026, every day. */
const days = { 15: '01JUN26', 22: '03JUN26' };

/**
 * The schedule of these tests, 1-3 June 2026 (a Monday to a Wednesday):
 *
 * | flight | way                 | local times            | what it is                                  |
 * |--------|---------------------|------------------------|---------------------------------------------|
 * | XX 101 | LHR-JFK             | 1100-1400              | operating, sold as YY 5101                  |
 * | XX 301 | LHR-JFK-LAX         | 0800-1100, 1300-1600   | two legs and the whole flight               |
 * | XX 501 | LHR-CDG             | 0600-0815              | cargo, service type F, Monday only          |
 * | XX 502 | LHR-CDG             | 1100-1315              | an extra passenger flight, type G, suffix A |
 * | YY 5101| LHR-JFK             | 1100-1400              | marketing, operated as XX 101               |
 * | YY 201 | AKL-HNL             | 0900-1945 the day before | across the date line                      |
 */
export const schedule = buildWholeFile(
  header,
  buildCarrier(),
  buildLeg({ ...days, 53: '5', 71: '8', 76: 'JWY', 101: 'M   M', 173: 'J30W21Y178', 122: 'S', 129: 'XX' }),
  buildSegment(10, 'YY 5101 '),
  buildSegment(503, '9'),
  buildSegment(505, 'ET'),
  buildLeg({ ...days, 6: '0301', 40: '0800', 44: '0800', 58: '1100', 62: '1100' }),
  buildSecondLeg({ ...days, 6: '0301', 40: '1300', 44: '1300', 58: '1600', 62: '1600', 150: 'K' }),
  buildLeg({
    6: '0501',
    14: 'F',
    15: '01JUN26',
    22: '01JUN26',
    29: '1      ',
    40: '0600',
    44: '0600',
    55: 'CDG',
    58: '0815',
    62: '0815',
    66: '+0200',
    73: '320',
    173: 'LL08PP04',
  }),
  buildLeg({ ...days, 2: 'A', 6: '0502', 14: 'G', 55: 'CDG', 58: '1315', 62: '1315', 66: '+0200', 73: '320' }),
  buildTrailer('C'),
  buildCarrier({ 3: 'YY' }),
  buildLeg({ ...days, 3: 'YY', 6: '5101', 129: 'XX', 149: 'L' }),
  buildSegment(50, 'XX 0101 ', { 3: 'YY', 6: '5101' }),
  buildLeg({
    ...days,
    3: 'YY',
    6: '0201',
    37: 'AKL',
    40: '0900',
    44: '0900',
    48: '+1200',
    55: 'HNL',
    58: '1945',
    62: '1945',
    66: '-1000',
    193: '0A',
  }),
  buildRecord({ 1: '5', 3: 'YY', 188: '??????', 194: 'E' }),
);
