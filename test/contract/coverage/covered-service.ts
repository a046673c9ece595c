import { localDate } from '#domain/time/dates.ts';
import { boardingStatuses, checkInStatuses } from '#domain/status/message.ts';
import { recordLiveSuccess, updateFollowedRequests } from '#store/live/live-requests.ts';
import { upsertLocations } from '#store/master-data/locations.ts';
import { predictSeats } from '#jobs/statistics/predict-seats.ts';
import { buildCarrier, header, buildLeg, buildSecondLeg, buildSegment } from '#test/feeds/ssim/build-file.ts';
import { buildTrailer, buildWholeFile } from '#test/feeds/ssim/build-file.ts';
import { serveStatuses, xx101, xx301, type StatusService } from '#test/products/flight-info/v2/status-service.ts';

const days = { 15: '01JUN26', 22: '03JUN26' };
const toParis = { ...days, 55: 'CDG', 58: '1315', 62: '1315', 66: '+0200' };
const numbered = (flightNumber: string, suffix = ' ') => ({ 2: suffix, 6: flightNumber });
/** Terminals, classes, meals and seats, and the owners of aircraft and crews. */
const cabins = { 76: 'JWY', 101: 'M   M', 173: 'J30W21Y178' };
const dataElements = { ...cabins, 53: '5', 71: '8', 122: 'S', 129: 'YY', 132: 'YY', 135: 'WW' };
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * A schedule in which every property of a scheduled flight has a value, 1-3 June 2026: XX 101A LHR-JFK with every data
 * element, codeshare YY 5101B; XX 301 LHR-JFK-LAX; two restricted flights, a freighter, and one flight of each service
 * type.
 */
export const coveredSchedule = buildWholeFile(
  header,
  buildCarrier(),
  buildLeg({ ...days, ...numbered('0101', 'A'), ...dataElements }),
  ...'10=YY 5101B,125=YY/WW,201=X,210=X,299=X,501=06/8,502=06/10/05/W/2,503=9,505=ET'
    .split(',')
    .map((element) => element.split('='))
    .map(([dei, data = '']) => buildSegment(Number(dei), data, { ...numbered('0101', 'A') })),
  buildLeg({ ...toParis, ...numbered('0102') }),
  buildSegment(170, 'A', { ...numbered('0102'), 37: 'CDG' }),
  buildSegment(710, 'X', { ...numbered('0102'), 37: 'CDG' }),
  buildLeg({ ...toParis, ...numbered('0103') }),
  buildSegment(171, 'A', { ...numbered('0103'), 37: 'CDG' }),
  buildSegment(711, 'X', { ...numbered('0103'), 37: 'CDG' }),
  buildLeg({ ...days, ...numbered('0301'), 40: '0800', 44: '0800', 58: '1100', 62: '1100' }),
  buildSecondLeg({ ...days, ...numbered('0301'), 40: '1300', 44: '1300', 58: '1600', 62: '1600' }),
  buildLeg({ ...toParis, ...numbered('0501'), 14: 'F', 173: 'LL08PP04' }),
  ...letters.map((letter, index) =>
    buildLeg({ ...toParis, ...numbered(`06${String(index).padStart(2, '0')}`), 14: letter }),
  ),
  buildTrailer('C'),
  buildCarrier({ 3: 'YY' }),
  buildLeg({ ...days, ...numbered('5101', 'B'), 3: 'YY', 129: 'XX', 149: 'L' }),
  buildSegment(50, 'XX 0101A', { ...numbered('5101', 'B'), 3: 'YY' }),
  buildTrailer('E', 'YY'),
);

const operating = (day = '2026-06-01') => ({ ...xx101(day), suffix: 'A' });
const lands = (airport: string) => ({ number: 1, airport });

/** Reports early, punctual and late times, estimated and actual, at both ends, and a correction. */
const reportTimes = async (world: StatusService): Promise<void> => {
  const minutes = ['06:58', '07:00', '07:05'];
  const arrivals = ['14:58', '15:00', '15:05'];
  const expected = minutes.map((out, index) => ({
    departure: { estimated: { out: `2026-06-01T${out}:00Z`, off: '2026-06-01T07:15:00Z' } },
    arrival: { estimated: { on: '2026-06-01T14:50:00Z', in: `2026-06-01T${arrivals[index]}:00Z` } },
  }));
  const observed = minutes.map((out, index) => ({
    departure: { actual: { out: `2026-06-01T${out}:00Z`, off: '2026-06-01T07:15:00Z' } },
    arrival: { actual: { on: '2026-06-01T14:50:00Z', in: `2026-06-01T${arrivals[index]}:00Z` } },
  }));
  const facts = [...expected, ...observed, { arrival: { actual: { in: null } } }];
  for (const leg of [1, 2] as const)
    await world.report(
      xx301(leg),
      ...facts.map((one, index) => [`2026-06-01T16:0${index}:00Z`, leg === 1 ? one : {}] as const),
    );
};

const reportDiversions = async (world: StatusService): Promise<void> => {
  const type = { type: 'TechnicalStop' };
  await world.report(xx301(1, '2026-06-02'), ['2026-06-02T09:00:00Z', { diversions: [{ ...lands('LAX'), ...type }] }]);
  await world.report(operating('2026-06-02'), ['2026-06-02T11:00:00Z', { diversions: [lands('LIS')] }]);
  await world.report(operating('2026-06-03'), ['2026-06-03T11:00:00Z', { diversions: [lands('LHR')] }]);
  await world.report(xx301(1, '2026-06-03'), ['2026-06-03T09:00:00Z', { diversions: [{ number: 1 }] }]);
  const recovery = { ...xx101('2026-06-02'), flightNumber: 9101, departureAirport: 'LIS' };
  const plan = {
    flightType: 'Unscheduled',
    departs: { airport: 'LIS', at: '2026-06-02T16:00:00Z' },
    arrives: { airport: 'JFK', at: '2026-06-02T23:30:00Z' },
    recovers: operating('2026-06-02'),
  };
  await world.report(recovery, ['2026-06-02T13:30:00Z', { plan }]);
};

/** Reports XX 101A of 1 June in the air, with every fact. */
const reportAllFacts = async (world: StatusService): Promise<void> => {
  const seats = { firstClass: 8, businessClass: 40, premiumEconomyClass: 24, economyPlusClass: 32, economyClass: 120 };
  await world.report(
    operating(),
    [
      '2026-06-01T10:00:00Z',
      {
        aircraft: { registration: 'G-ZXAB', type: { iata: '789', icao: 'B789' } },
        departure: {
          terminal: '5',
          gate: 'B36',
          stand: '336',
          checkInCounter: 'C',
          actual: { out: '2026-06-01T10:00:00Z' },
        },
        arrival: { terminal: '8', gate: '4', stand: '4L', baggage: '6' },
        seats: { ...seats, totalSeats: 224 },
      },
    ],
    ['2026-06-01T10:20:00Z', { departure: { actual: { off: '2026-06-01T10:15:00Z' } } }],
  );
  const facts = [
    ...checkInStatuses.map((status) => ({ checkIn: { status, at: '2026-06-01T08:00:00Z' } })),
    ...boardingStatuses.map((status) => ({ boarding: { status, at: '2026-06-01T09:30:00Z' } })),
  ];
  await world.report(
    operating(),
    ...facts.map((departure, index) => [`2026-06-01T09:5${index}:00Z`, { departure }] as const),
  );
  await world.report(xx301(2, '2026-06-02'), ['2026-06-01T08:00:00Z', { cancelled: true }]);
};

/** Reports a business flight from an airfield that has only an FAA code. */
const reportBusinessFlight = async (world: StatusService): Promise<void> => {
  const flight = { carrier: 'LXJ', flightNumber: 342, originDate: '2026-06-01', departureAirport: 'NK39' };
  const arrives = { airport: 'KJFK' };
  const plan = { flightType: 'GA', departs: { airport: 'NK39', at: '2026-06-01T14:00:00Z' }, arrives };
  await world.report(flight, ['2026-05-31T20:00:00Z', { proposed: true, plan }]);
};

/** Reports a flight that has left its gate, and one that is at the gate of its destination. */
const reportFlightsAtGates = async (world: StatusService): Promise<void> => {
  const toParis = (flightNumber: number) => ({ ...xx101('2026-06-02'), flightNumber, arrivalAirport: 'CDG' });
  const left = { departure: { actual: { out: '2026-06-02T10:04:00Z' } } };
  const arrived = { arrival: { actual: { on: '2026-06-02T11:10:00Z', in: '2026-06-02T11:18:00Z' } } };
  // From a public feed, which the status names.
  await world.report(toParis(102), ['2026-06-02T10:05:00Z', { ...left, source: 'avinor' }]);
  await world.report(toParis(103), ['2026-06-02T11:20:00Z', { ...left, ...arrived }]);
};

/** Reports a flight of which only the scheduled arrival is known. */
const reportArrivalOnly = async (world: StatusService): Promise<void> => {
  const [scheduledArrival, airport] = ['2026-06-02T18:00:00Z', 'JFK'];
  const flight = { carrier: 'XX', flightNumber: 9301, originDate: '2026-06-02', departureAirport: 'LHR' };
  const plan = { flightType: 'Scheduled', departs: { airport: 'LHR' }, arrives: { airport, at: scheduledArrival } };
  await world.report({ ...flight, scheduledArrival, arrivalAirport: airport }, ['2026-06-01T11:00:00Z', { plan }]);
};

/** Follows public feeds: one is current, one is stale, and one has not responded yet. */
const followFeeds = async ({ db }: StatusService): Promise<void> => {
  const [place, request, now] = ['OSL', '0', new Date('2026-06-01T12:00:00Z')];
  const ids = ['avinor', 'hkia', 'swedavia'].map((source) => ({ source, place, request }));
  await updateFollowedRequests(db, ids, now);
  const unknown = {
    cursor: undefined,
    etag: undefined,
    newestActual: undefined,
    fullAt: undefined,
    fullRows: undefined,
  };
  for (const [index, hour] of ['12', '09'].entries()) {
    const observedAt = new Date(`2026-06-01T${hour}:00:00Z`);
    const id = ids[index];
    if (id) await recordLiveSuccess(db, id, { ...unknown, period: '', observedAt, now });
  }
};

/** Serves flights that together have every property and value of Flight Info v2. */
export const serveCoveredWorld = async (): Promise<StatusService> => {
  const world = await serveStatuses({ text: coveredSchedule });
  const airfield = { icao: '', name: 'One field', cityCode: '', countryCode: 'US', latitude: 42.5, longitude: -73.5 };
  await world.db.begin((sql) =>
    upsertLocations(sql, [{ ...airfield, iata: '', faa: 'NK39', zone: 'America/New_York', rank: 1 }]),
  );
  await world.refresh();
  await reportTimes(world);
  await reportAllFacts(world);
  await reportDiversions(world);
  await reportBusinessFlight(world);
  await reportFlightsAtGates(world);
  await reportArrivalOnly(world);
  await followFeeds(world);
  await predictSeats(world.db, localDate('2026-06-02'));
  return world;
};
