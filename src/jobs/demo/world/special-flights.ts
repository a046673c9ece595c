import type { Company } from '../../../domain/schedule/schedule.ts';
import {
  createTimetableFlight,
  type LegOverrides,
  parseDays,
  parseMinutes,
  type TimetableElement,
  type TimetableFlight,
  type TimetableLeg,
} from './timetable.ts';

type Draft = Partial<Omit<TimetableFlight, 'days' | 'departs' | 'legs'>> & {
  /** Airline, number and, if it has one, suffix: `K0 2501 A`. */
  readonly flight: string;
  /** HHMM at the first station. */
  readonly at: string;
  readonly days?: string;
  readonly legs: TimetableFlight['legs'];
};

const plan = ({ flight, at, days = '1234567', ...rest }: Draft): TimetableFlight => {
  const [carrier = '', number, suffix = ''] = flight.split(' ');
  return createTimetableFlight({
    carrier,
    flightNumber: Number(number),
    suffix,
    departs: parseMinutes(at),
    days: parseDays(days),
    ...rest,
  });
};

/** Reads `LHR SIN 77W` as from, to and type. */
const leg = (text: string, rest: Partial<TimetableLeg> = {}): TimetableLeg => {
  const [from = '', to = '', equipment = ''] = text.split(' ');
  return { from, to, equipment, ...rest };
};

const onLeg = (dei: number, data: string): TimetableElement => ({ dei, from: 0, to: 1, data });

/** Nobody can book these: ferry, test and training flights. */
const notForSale: LegOverrides = {
  bookingClasses: '',
  meals: '',
  secureFlight: '',
  electronicTicketing: undefined,
  inFlightServices: [],
};

const beacon: Company = { code: 'K0', name: '' };
const crewedByBeacon: LegOverrides = { configuration: 'Y50', cockpitCrew: beacon, cabinCrew: beacon };
const leased: LegOverrides = { ...crewedByBeacon, disclosure: 'S', aircraftOwner: beacon };
const leasedUnderName: LegOverrides = { ...crewedByBeacon, disclosure: 'X' };
const commuterName = onLeg(127, 'K0 /BEACON COMMUTER');

const ground = (minutes: number, rest: Partial<TimetableLeg> = {}): Partial<TimetableLeg> => ({
  groundMinutes: minutes,
  ...rest,
});
const restricted = (code: string): Partial<TimetableLeg> => ({ facts: { trafficRestrictions: code } });

const longHaulAndDateLine: readonly TimetableFlight[] = [
  plan({ flight: 'X2 1', at: '1100', legs: [leg('SYD LAX 77W')] }),
  plan({ flight: 'X2 2', at: '2230', legs: [leg('LAX SYD 77W')] }),
  plan({ flight: 'X2 9', at: '0900', legs: [leg('AKL HNL 789')] }),
  plan({ flight: 'X2 10', at: '1330', legs: [leg('HNL AKL 789')] }),
  plan({ flight: 'X2 61', at: '0800', legs: [leg('APW PPG DHT')] }),
  plan({ flight: 'X2 62', at: '0930', legs: [leg('PPG APW DHT')] }),
  plan({ flight: 'X2 63', at: '1500', legs: [leg('APW PPG DHT')] }),
  plan({ flight: 'X2 64', at: '1630', legs: [leg('PPG APW DHT')] }),
  plan({ flight: 'M1 21', at: '2335', legs: [leg('SIN EWR 359')] }),
  plan({ flight: 'M1 22', at: '1000', legs: [leg('EWR SIN 359')] }),
  plan({ flight: 'H0 51', at: '0705', legs: [leg('GUM SPN 738')] }),
  plan({ flight: 'H0 52', at: '0830', legs: [leg('SPN GUM 738')] }),
  plan({
    flight: 'K1 46',
    at: '2255',
    legs: [leg('SEA BOS 7M8')],
    elements: [onLeg(501, '01/8'), onLeg(502, '01/10/5//1')],
  }),
  plan({ flight: 'W0 3991', at: '2300', legs: [leg('LIS OPO 320', { blockMinutes: 60 })] }),
  plan({ flight: 'W0 3992', at: '0630', legs: [leg('OPO LIS 320', { blockMinutes: 60 })] }),
];

const severalStops: readonly TimetableFlight[] = [
  plan({
    flight: 'L0 15',
    at: '2055',
    legs: [leg('LHR SIN 77W'), leg('SIN SYD 77W', ground(95))],
    elements: [{ dei: 210, from: 0, to: 2, data: '' }],
  }),
  plan({ flight: 'L0 16', at: '1530', legs: [leg('SYD SIN 77W'), leg('SIN LHR 77W', ground(95))] }),
  plan({
    flight: 'X2 5',
    at: '0800',
    days: '14',
    legs: [leg('AKL APW 738'), leg('APW PPG 738', ground(60)), leg('PPG HNL 738', ground(70))],
  }),
  plan({
    flight: 'X2 6',
    at: '0700',
    days: '14',
    legs: [leg('HNL PPG 738'), leg('PPG APW 738', ground(60)), leg('APW AKL 738', ground(70))],
  }),
  plan({ flight: 'X2 71', at: '1010', days: '246', legs: [leg('SYD LDH DH3'), leg('LDH SYD DH3', ground(45))] }),
  plan({
    flight: 'N1 1951',
    at: '0705',
    days: '12345',
    legs: [leg('HEL ARN AT7'), leg('ARN OSL AT7', ground(30)), leg('OSL HEL AT7', ground(35))],
  }),
  plan({
    flight: 'YF 3',
    at: '0720',
    legs: [leg('MEX BOG 32N'), leg('BOG LIM 32N', ground(55)), leg('LIM SCL 32N', ground(55))],
  }),
  plan({
    flight: 'YF 4',
    at: '0640',
    legs: [leg('SCL LIM 32N'), leg('LIM BOG 32N', ground(55)), leg('BOG MEX 32N', ground(55))],
  }),
  plan({
    flight: 'O1 7901',
    at: '2330',
    serviceType: 'F',
    days: '23456',
    legs: [leg('HKG ANC 74N'), leg('ANC ORD 74N', ground(120))],
  }),
  plan({
    flight: 'O1 7902',
    at: '2345',
    serviceType: 'F',
    days: '23456',
    legs: [leg('ORD ANC 74N'), leg('ANC HKG 74N', ground(120))],
  }),
];

/** A: the domestic leg of an international flight. K: connecting passengers only. Z: passengers and freight apart. */
const withTrafficRestrictions: readonly TimetableFlight[] = [
  plan({
    flight: 'M1 17',
    at: '0830',
    legs: [leg('ADL MEL 788', { ...restricted('A'), mctStatus: ['I', 'I'] }), leg('MEL SIN 788', ground(75))],
  }),
  plan({
    flight: 'M1 18',
    at: '2045',
    legs: [leg('SIN MEL 788'), leg('MEL ADL 788', ground(75, { ...restricted('A'), mctStatus: ['I', 'I'] }))],
  }),
  plan({
    flight: 'X2 95',
    at: '1730',
    days: '1357',
    legs: [leg('SYD HNL 789'), leg('HNL LAX 789', ground(100, restricted('A')))],
  }),
  plan({
    flight: 'X2 96',
    at: '1120',
    days: '1357',
    legs: [leg('LAX HNL 789', restricted('A')), leg('HNL SYD 789', ground(100))],
  }),
  plan({ flight: 'D1 41', at: '0735', legs: [leg('DOH NBO 333'), leg('NBO JNB 333', ground(65, restricted('K')))] }),
  plan({ flight: 'D1 42', at: '1400', legs: [leg('JNB NBO 333', restricted('K')), leg('NBO DOH 333', ground(65))] }),
  plan({
    flight: 'D1 43',
    at: '0815',
    legs: [leg('DOH FCO 789'), leg('FCO MAD 789', ground(70, restricted('Z')))],
    elements: [
      { dei: 170, from: 1, to: 2, data: 'K' },
      { dei: 171, from: 1, to: 2, data: 'B' },
      { dei: 710, from: 1, to: 2, data: 'Z' },
    ],
  }),
  plan({ flight: 'D1 44', at: '1625', legs: [leg('MAD FCO 789', restricted('N')), leg('FCO DOH 789', ground(70))] }),
];

const operatedByOthers: readonly TimetableFlight[] = [
  plan({ flight: 'K1 1201', at: '0720', legs: [leg('ORD YYZ DH3', { facts: leased })] }),
  plan({ flight: 'K1 1202', at: '1125', legs: [leg('YYZ ORD DH3', { facts: leased })] }),
  plan({
    flight: 'K1 1203',
    at: '1350',
    legs: [leg('BOS YYZ DH3', { facts: leasedUnderName })],
    elements: [commuterName],
  }),
  plan({
    flight: 'K1 1204',
    at: '1650',
    legs: [leg('YYZ BOS DH3', { facts: leasedUnderName })],
    elements: [commuterName],
  }),
  plan({ flight: 'H0 11', at: '0855', legs: [leg('HND HKG 788', { facts: { jointOperators: ['M1'] } })] }),
  plan({ flight: 'H0 12', at: '1515', legs: [leg('HKG HND 788', { facts: { jointOperators: ['M1'] } })] }),
];

const marked: readonly TimetableFlight[] = [
  plan({ flight: 'K0 2501', at: '1230', days: '12345', serviceType: 'S', legs: [leg('LGA DCA 319')] }),
  plan({ flight: 'K0 2501 A', at: '1245', days: '12345', serviceType: 'S', legs: [leg('LGA DCA 319')] }),
  plan({ flight: 'K1 1', at: '0700', days: '12345', variant: [1, 2], legs: [leg('JFK SFO 763')] }),
  plan({ flight: 'K1 1', at: '0900', days: '67', variant: [2, 2], legs: [leg('JFK SFO 763')] }),
  plan({ flight: 'L0 21', at: '1010', legs: [leg('LHR KEF 223', { passengerMinutes: [10, 5] })] }),
  plan({ flight: 'L0 22', at: '1430', legs: [leg('KEF LHR 223', { passengerMinutes: [5, 10] })] }),
  plan({ flight: 'X2 81', at: '1130', days: '3', everyWeeks: 2, legs: [leg('AKL CHT AT7')] }),
  plan({ flight: 'X2 82', at: '1600', days: '3', everyWeeks: 2, legs: [leg('CHT AKL AT7')] }),
  plan({
    flight: 'D1 47',
    at: '1415',
    days: '246',
    legs: [leg('DOH KTM 320')],
    elements: [onLeg(201, ''), onLeg(505, 'EN')],
  }),
  plan({
    flight: 'D1 48',
    at: '0040',
    days: '357',
    legs: [leg('KTM DOH 320')],
    elements: [onLeg(201, ''), onLeg(505, 'EN')],
  }),
  plan({
    flight: 'H0 7',
    at: '2040',
    legs: [leg('HND HNL 77W')],
    elements: [onLeg(299, ''), onLeg(503, '1/3/7/13'), onLeg(504, 'S'), onLeg(505, 'ET')],
  }),
  plan({
    flight: 'H0 8',
    at: '1220',
    legs: [leg('HNL HND 77W')],
    elements: [onLeg(299, ''), onLeg(503, '1/3/7/13'), onLeg(504, 'S')],
  }),
];

/** One of each service type that the networks do not fly. */
const otherServices: readonly TimetableFlight[] = [
  ...['0700', '1100', '1500', '1900'].flatMap((at, index) => [
    plan({ flight: `L0 ${8101 + 2 * index}`, at, serviceType: 'U', legs: [leg('LHR LGW BUS')] }),
    plan({ flight: `L0 ${8102 + 2 * index}`, at, serviceType: 'U', legs: [leg('LGW LHR BUS')] }),
  ]),
  ...['0725', '1225', '1725'].flatMap((at, index) => [
    plan({ flight: `L0 ${8201 + 2 * index}`, at, serviceType: 'U', legs: [leg('CDG AMS TRN')] }),
    plan({ flight: `L0 ${8202 + 2 * index}`, at, serviceType: 'U', legs: [leg('AMS CDG TRN')] }),
  ]),
  plan({ flight: 'W0 3981', at: '1010', serviceType: 'U', legs: [leg('ORY CDG BUS')] }),
  plan({ flight: 'O1 9001', at: '2000', days: '12345', serviceType: 'V', legs: [leg('FRA AMS RFS')] }),
  plan({ flight: 'O1 9002', at: '2100', days: '12345', serviceType: 'V', legs: [leg('AMS FRA RFS')] }),
  plan({ flight: 'N1 1961', at: '2315', days: '12345', serviceType: 'M', legs: [leg('CPH ARN ATF')] }),
  plan({ flight: 'N1 1962', at: '0430', days: '23456', serviceType: 'M', legs: [leg('ARN CPH ATF')] }),
  plan({ flight: 'K1 31', at: '1300', serviceType: 'Q', legs: [leg('SEA ANC 73Q')] }),
  plan({ flight: 'K1 32', at: '1600', serviceType: 'Q', legs: [leg('ANC SEA 73Q')] }),
  plan({ flight: 'K1 2931', at: '0800', days: '6', serviceType: 'R', legs: [leg('SEA ANC 73Q')] }),
  plan({ flight: 'L0 2901', at: '1115', days: '57', serviceType: 'G', legs: [leg('LHR JFK 789')] }),
  plan({ flight: 'L0 2902', at: '1745', days: '57', serviceType: 'G', legs: [leg('JFK LHR 789')] }),
  plan({ flight: 'K0 2951', at: '1645', days: '57', serviceType: 'B', legs: [leg('LGA BOS E90')] }),
  plan({ flight: 'O1 7951', at: '1100', days: '6', serviceType: 'A', legs: [leg('FRA ORD 77X')] }),
  plan({ flight: 'O1 7961', at: '1500', days: '3', serviceType: 'H', legs: [leg('MIA BOG 76Y')] }),
  plan({ flight: 'Z1 8601', at: '0800', days: '6', everyWeeks: 2, serviceType: 'C', legs: [leg('PUQ TNM DH3')] }),
  plan({ flight: 'Z1 8602', at: '1300', days: '6', everyWeeks: 2, serviceType: 'C', legs: [leg('TNM PUQ DH3')] }),
  plan({ flight: 'Z1 8611', at: '0930', days: '4', serviceType: 'L', legs: [leg('LGW KEF 73Q')] }),
  plan({ flight: 'Z1 8621', at: '1000', days: '2', serviceType: 'O', legs: [leg('ATH MAD 738')] }),
  plan({
    flight: 'W0 3999',
    at: '0430',
    days: '1',
    serviceType: 'P',
    legs: [leg('LGW MAD 32N', { facts: notForSale })],
  }),
  plan({
    flight: 'K1 2999',
    at: '1310',
    days: '2',
    serviceType: 'T',
    legs: [leg('SFO LAX 319', { facts: notForSale })],
  }),
  plan({
    flight: 'N1 1999',
    at: '1215',
    days: '3',
    serviceType: 'K',
    legs: [leg('CPH OSL E90', { facts: notForSale })],
  }),
];

/** Flights made for what they show, each with a number of its own that no network uses. */
export const specialFlights: readonly TimetableFlight[] = [
  ...longHaulAndDateLine,
  ...severalStops,
  ...withTrafficRestrictions,
  ...operatedByOthers,
  ...marked,
  ...otherServices,
];
