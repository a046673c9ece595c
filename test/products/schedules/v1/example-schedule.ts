import { buildCarrier, header, buildLeg, buildSecondLeg, buildSegment } from '#test/feeds/ssim/build-file.ts';
import { buildTrailer, buildWholeFile } from '#test/feeds/ssim/build-file.ts';

const times = (departure: string, arrival: string) => ({ 40: departure, 44: departure, 58: arrival, 62: arrival });
const toParis = { 55: 'CDG', 66: '+0200', 73: '320' };
const lisbonToPorto = { 37: 'LIS', 55: 'OPO', 58: '1200', 62: '1200', 66: '+0100', 73: '320' };
const extra = { ...toParis, 2: 'A', 6: '0502', 14: 'G', 58: '1315', 62: '1315' };

/** The schedule of these tests, June 2026 (the 1st is a Monday); service types F, cargo, and G, extra passenger flights. */
export const schedule = buildWholeFile(
  header,
  buildCarrier(),
  buildLeg({ 53: '5', 71: '8', 76: 'JWY', 173: 'J30W21Y178' }),
  buildSegment(10, 'YY 5101 '),
  buildLeg({ ...times('0800', '1100'), 6: '0301' }),
  buildSecondLeg({ ...times('1300', '1600'), 6: '0301' }),
  buildLeg({ ...toParis, ...times('0600', '0815'), 6: '0501', 14: 'F', 29: '1      2' }),
  buildLeg({ ...extra, 15: '10JUN26', 22: '20JUN26', 29: '      7' }),
  buildLeg({ ...extra, 10: '02', 15: '21JUN26', 29: ' 2     ' }),
  buildTrailer('C'),
  buildCarrier({ 3: 'YY' }),
  buildLeg({ 3: 'YY', 6: '5101', 129: 'XX', 149: 'L' }),
  buildSegment(50, 'XX 0101 ', { 3: 'YY', 6: '5101' }),
  buildLeg({ ...lisbonToPorto, 3: 'YY', 6: '0201', 15: '08JUN26', 22: '08JUN26', 29: '1      ' }),
  buildTrailer('E', 'YY'),
);
