import { buildCarrier, header, buildLeg, buildSecondLeg, buildSegment } from '#test/feeds/ssim/build-file.ts';
import { buildTrailer, buildWholeFile } from '#test/feeds/ssim/build-file.ts';

/** 1 to 3 June 2026, every day. */
const days = { 15: '01JUN26', 22: '03JUN26' };
const monday = { 15: '01JUN26', 22: '01JUN26', 29: '1      ' };
const times = (departure: string, arrival: string) => ({ 40: departure, 44: departure, 58: arrival, 62: arrival });
const toParis = { 55: 'CDG', 66: '+0200', 73: '320' };
const cabin = { 76: 'JWY', 101: 'M   M', 173: 'J30W21Y178', 122: 'S', 129: 'XX' };
const aucklandToHonolulu = { 37: 'AKL', 48: '+1200', 55: 'HNL', 66: '-1000', 193: '0A' };

/** The schedule of these tests, 1-3 June 2026 (a Monday to a Wednesday). YY 201 crosses the date line. */
export const schedule = buildWholeFile(
  header,
  buildCarrier(),
  buildLeg({ ...days, ...cabin, 53: '5', 71: '8' }),
  buildSegment(10, 'YY 5101 '),
  buildSegment(503, '9'),
  buildSegment(505, 'ET'),
  buildLeg({ ...days, ...times('0800', '1100'), 6: '0301' }),
  buildSecondLeg({ ...days, ...times('1300', '1600'), 6: '0301', 150: 'K' }),
  buildLeg({ ...monday, ...toParis, ...times('0600', '0815'), 6: '0501', 14: 'F', 173: 'LL08PP04' }),
  buildLeg({ ...days, ...toParis, ...times('1100', '1315'), 2: 'A', 6: '0502', 14: 'G' }),
  buildTrailer('C'),
  buildCarrier({ 3: 'YY' }),
  buildLeg({ ...days, 3: 'YY', 6: '5101', 129: 'XX', 149: 'L' }),
  buildSegment(50, 'XX 0101 ', { 3: 'YY', 6: '5101' }),
  buildLeg({ ...days, ...aucklandToHonolulu, ...times('0900', '1945'), 3: 'YY', 6: '0201' }),
  buildTrailer('E', 'YY'),
);

export const london = { airport: { iata: 'LHR', icao: 'EGLL' }, country: { code: 'GB' } };
export const newYork = { airport: { iata: 'JFK', icao: 'KJFK', faa: 'JFK' }, country: { code: 'US' } };
export const paris = { airport: { iata: 'CDG', icao: 'LFPG' }, country: { code: 'FR' } };
export const lisbon = { airport: { iata: 'LIS', icao: 'LPPT' }, country: { code: 'PT' } };

export const seats101 = {
  firstClass: 0,
  businessClass: 30,
  premiumEconomyClass: 21,
  economyClass: 178,
  totalSeats: 229,
};

/** The members of the single flight XX 101 that its list row does not have. */
export const details101 = {
  bookingClasses: [
    { code: 'J', meal: 'M' },
    { code: 'W', meal: '' },
    { code: 'Y', meal: 'M' },
  ],
  freightClasses: [],
  restrictions: [],
  planeChangeWithoutAircraftChange: false,
  inFlightServices: ['9'],
  automatedCheckIn: false,
  electronicTicketing: true,
  secureFlightIndicator: true,
  governmentApproval: false,
  seatingCapacity: { actual: seats101 },
};
