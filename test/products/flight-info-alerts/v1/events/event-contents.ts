import type { ScheduleContent, StatusContent } from '#products/flight-info-alerts/v1/events/event-content.ts';

const key = (letter: string): string => letter.repeat(64);
const airport = (iata: string) => ({ iata, icao: `K${iata}`, faa: iata });
const inCountry = (iata: string, code: string) => ({ airport: airport(iata), country: { code } });
const carrierCode = { iata: 'ZZ', icao: 'ZZA' };
const aircraftType = { iata: '738', icao: 'B738' };
const whyAir = { code: 'YY', name: 'Why Air', number: '' };
const [cockpitCrewEmployer, cabinCrewEmployer] = ['4', '5'].map((number) => ({ ...whyAir, number }));
const marketingFlights = [{ code: 'VV', serviceNumber: '7001', suffix: '' }];
const operatingFlight = { code: 'YY', serviceNumber: '12', suffix: 'B' };
const cabins = { firstClass: 8, businessClass: 12, premiumEconomyClass: 20, economyPlusClass: 30, economyClass: 90 };
const seatingCapacity = { actual: { ...cabins, totalSeats: 160 } };
const dates = () => ({ date: { local: '2027-01-10', utc: '2027-01-11' } });

/** A schedule event content with all properties, in the order of the document. */
export const fullScheduleContent: ScheduleContent = {
  carrierCode,
  serviceSuffix: 'A',
  flightNumber: 2505,
  sequenceNumber: 1,
  departure: { ...inCountry('AAA', 'US'), terminal: 'A', ...dates(), time: { local: '20:20', utc: '02:20' } },
  arrival: { ...inCountry('BBB', 'US'), terminal: 'B', ...dates(), time: { local: '23:00', utc: '05:00' } },
  aircraftType,
  serviceTypeCode: { iata: 'J' },
  arrivalIntervalDays: 0,
  legArrivalIntervalDays: 0,
  segmentInfo: { numberOfStops: 1, intermediateAirports: { iata: [{ sequenceNumber: 1, station: 'CCC' }] } },
  codeshare: {
    operatingAirlineDisclosure: whyAir,
    aircraftOwner: { code: 'XX', name: 'Ex Leasing' },
    cockpitCrewEmployer,
    cabinCrewEmployer,
    jointOperationAirlineDesignators: [{ code: 'WW', name: '', number: '' }],
    marketingFlights,
    operatingFlight,
  },
  bookingClasses: [{ code: 'Y', meal: 'M' }],
  freightClasses: [{ code: 'LL', quantity: '08' }],
  restrictions: [
    { number: 1, code: 'A', passenger: true, cargo: false, mail: false, boardPoint: true, offPoint: false },
  ],
  planeChangeWithoutAircraftChange: false,
  onTimePerformance: {
    indicator: { month: '01', value: '8' },
    delaysAndCancellationsIndicator: { month: '01', min15: '10', min30: '05', min30Warning: '', cancel: '01' },
  },
  inFlightServices: ['9'],
  automatedCheckIn: true,
  electronicTicketing: true,
  secureFlightIndicator: false,
  governmentApproval: false,
  seatingCapacity,
  scheduleInstanceKey: key('a'),
  statusKey: key('b'),
};

/** A local time of 10 January at UTC-6. */
const at = (local: string, offset = '-06:00') => {
  const utc = new Date(`2027-01-10T${local}:00-06:00`).toISOString().slice(0, 19);
  return { local: `2027-01-10T${local}:00${offset}`, utc: `${utc}+00:00` };
};
const outAndOff = (out: string, off: string) => ({ outGate: at(out), offGround: at(off) });
const onAndIn = (on: string, inGate: string) => ({ onGround: at(on), inGate: at(inGate) });

/** A status event content with all properties, even those that do not occur together, in the order of the document. */
export const fullStatusContent: StatusContent = {
  flightType: 'Scheduled',
  state: 'InGate',
  serviceType: 'J',
  flightNumber: '2505',
  serviceSuffix: '',
  carrierCode,
  equipment: { aircraftType, aircraftRegistrationNumber: 'N000ZZ' },
  originationDate: { local: '2027-01-10T00:00:00' },
  departure: {
    times: {
      scheduled: at('20:20', ''),
      estimated: { outGateTimeliness: 'OnTime', outGateVariation: '00:00:00', ...outAndOff('20:20', '20:37') },
      actual: { outGateTimeliness: 'Early', outGateVariation: '-00:01:00', ...outAndOff('20:19', '20:38') },
    },
    ...inCountry('AAA', 'US'),
    scheduled: inCountry('AAA', 'US'),
    terminal: 'A',
    gate: 'A1',
    stand: '101',
    checkInCounter: '12',
    checkIn: { status: 'Closed', time: at('19:30') },
    boarding: { status: 'GateClosed', time: at('20:10') },
  },
  arrival: {
    times: {
      scheduled: at('23:00', ''),
      estimated: { inGateTimeliness: 'Delayed', inGateVariation: '00:05:00', ...onAndIn('22:55', '23:05') },
      actual: { inGateTimeliness: 'OnTime', inGateVariation: '00:00:00', ...onAndIn('22:52', '23:00') },
    },
    ...inCountry('CCC', 'CA'),
    scheduled: inCountry('BBB', 'US'),
    terminal: 'B',
    gate: 'B2',
    stand: '202',
    baggage: '4',
  },
  diversionAirport: airport('CCC'),
  irregularOperationType: 'Diverted',
  diversionType: 'Unplanned',
  originalStatusKey: key('c'),
  operatingAirlineDisclosure: whyAir,
  cockpitCrewEmployer,
  cabinCrewEmployer,
  marketingFlights,
  operatingFlight,
  seatingCapacity,
  isOperating: true,
  scheduleInstanceKey: key('a'),
  operatingInstanceKey: key('a'),
  marketingInstancesKeys: [key('d')],
  statusKey: key('b'),
};
