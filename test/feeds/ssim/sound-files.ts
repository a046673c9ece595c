import { readFileSync } from 'node:fs';
import { carrier, header, leg, secondLeg, segment, trailer, wholeFile, zeros } from './build-file.ts';

const overnight = { 40: '2100', 44: '2100', 58: '0100', 62: '0100', 193: '  ' };
const nextDay = { 15: '02JUN26', 22: '01JUL26', 40: '0300', 44: '0300', 58: '0600', 62: '0600', 193: '  ' };
const rich = wholeFile(
  header,
  zeros,
  carrier({ 170: '3/9', 189: 'ET' }),
  leg({ 76: 'XX', 129: 'X', 149: 'Z', 150: 'AK', 173: 'XX' }),
  segment(106, 'FJY'),
  segment(108, 'F8J30Y200LL08'),
  segment(127, 'YY /EXAMPLE'),
  segment(170, 'A'),
  secondLeg({ 101: 'L S' }),
  segment(10, 'YY 5101 /ZZ 0001A', { 12: '02', 29: 'BC', 34: 'JFKLAX' }),
  segment(201, '', { 29: 'XX', 34: 'QQQQQQ' }),
  segment(901, 'OURS'),
  leg({ 6: '0300', ...overnight }),
  secondLeg({ 6: '0300', ...nextDay }),
  leg({ 6: '0400', 22: '14JUN26' }),
  secondLeg({ 6: '0400', 22: '14JUN26' }),
  leg({ 6: '0400', 15: '15JUN26', 36: '2' }),
  leg({ 6: '0500', 10: '05', 128: '1', 15: '00XXX00', 22: '00XXX00' }),
  segment(50, 'YY 5101 ', { 6: '0500', 10: '05', 28: '1' }),
  trailer('C'),
  zeros,
  carrier({ 1: '2U', 3: 'YY' }),
  leg({ 3: 'YY', 6: '5101', 40: '2300', 44: '2300', 58: '2400', 62: '2400' }),
  segment(50, 'XX 0101 ', { 3: 'YY', 6: '5101' }),
  leg({ 3: 'YY', 6: '5102', 193: '0 ', 58: '0030', 62: '0030' }),
  trailer('E', 'YY'),
);

/** Sound files that tests spoil: one of the hard cases of the format, and one with something in most columns. */
export const bases = [readFileSync(new URL('fixture/fixture.ssim', import.meta.url), 'latin1'), rich];
