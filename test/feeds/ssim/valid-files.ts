import { readFileSync } from 'node:fs';
import {
  buildCarrier,
  header,
  buildLeg,
  buildSecondLeg,
  buildSegment,
  buildTrailer,
  buildWholeFile,
  zeroRecord,
} from './build-file.ts';

const overnight = { 40: '2100', 44: '2100', 58: '0100', 62: '0100', 193: '  ' };
const nextDay = { 15: '02JUN26', 22: '01JUL26', 40: '0300', 44: '0300', 58: '0600', 62: '0600', 193: '  ' };
const fullFile = buildWholeFile(
  header,
  zeroRecord,
  buildCarrier({ 170: '3/9', 189: 'ET' }),
  buildLeg({ 76: 'XX', 129: 'X', 149: 'Z', 150: 'AK', 173: 'XX' }),
  buildSegment(106, 'FJY'),
  buildSegment(108, 'F8J30Y200LL08'),
  buildSegment(127, 'YY /EXAMPLE'),
  buildSegment(170, 'A'),
  buildSecondLeg({ 101: 'L S' }),
  buildSegment(10, 'YY 5101 /ZZ 0001A', { 12: '02', 29: 'BC', 34: 'JFKLAX' }),
  buildSegment(201, '', { 29: 'XX', 34: 'QQQQQQ' }),
  buildSegment(901, 'OURS'),
  buildLeg({ 6: '0300', ...overnight }),
  buildSecondLeg({ 6: '0300', ...nextDay }),
  buildLeg({ 6: '0400', 22: '14JUN26' }),
  buildSecondLeg({ 6: '0400', 22: '14JUN26' }),
  buildLeg({ 6: '0400', 15: '15JUN26', 36: '2' }),
  buildLeg({ 6: '0500', 10: '05', 128: '1', 15: '00XXX00', 22: '00XXX00' }),
  buildSegment(50, 'YY 5101 ', { 6: '0500', 10: '05', 28: '1' }),
  buildTrailer('C'),
  zeroRecord,
  buildCarrier({ 1: '2U', 3: 'YY' }),
  buildLeg({ 3: 'YY', 6: '5101', 40: '2300', 44: '2300', 58: '2400', 62: '2400' }),
  buildSegment(50, 'XX 0101 ', { 3: 'YY', 6: '5101' }),
  buildLeg({ 3: 'YY', 6: '5102', 193: '0 ', 58: '0030', 62: '0030' }),
  buildTrailer('E', 'YY'),
);

/** Valid files for mutation: one with the hard cases of the format, and one with a value in most columns. */
export const validFiles = [readFileSync(new URL('fixture/fixture.ssim', import.meta.url), 'latin1'), fullFile];
