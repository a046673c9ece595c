import { carrier, header, leg, trailer, wholeFile } from '../../feeds/ssim/build-file.ts';

/** A second carrier with one flight: around midnight from Lisbon to Porto. */
export const yy = carrier({ 3: 'YY' });
export const yyLeg = leg({
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
export const yyFile = wholeFile(header, yy, yyLeg, trailer('E', 'YY'));
