import { buildCarrier, buildLeg, buildTrailer, buildWholeFile, header } from '#test/feeds/ssim/build-file.ts';

export const buildCarrierFile = (designator: string, ...records: readonly string[]): string =>
  buildWholeFile(header, buildCarrier({ 3: designator }), ...records, buildTrailer('E', designator));

const toPorto = { 37: 'LIS', 40: '2300', 44: '2300', 55: 'OPO', 58: '2400', 62: '2400', 66: '+0100', 73: '320' };
/** A second carrier with one flight: around midnight from Lisbon to Porto. */
export const yyFile = buildCarrierFile('YY', buildLeg({ 3: 'YY', 6: '0900', ...toPorto }));
