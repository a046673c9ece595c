import { buildCarrier, header, buildLeg, buildTrailer, buildWholeFile } from '../../feeds/ssim/build-file.ts';

/** A second carrier with one flight: around midnight from Lisbon to Porto. */
export const yy = buildCarrier({ 3: 'YY' });
export const yyLeg = buildLeg({
  3: 'YY',
  6: '0900',
  37: 'LIS',
  40: '2300',
  44: '2300',
  55: 'OPO',
  58: '2400',
  62: '2400',
  66: '+0100',
  73: '320',
});
export const yyFile = buildWholeFile(header, yy, yyLeg, buildTrailer('E', 'YY'));
