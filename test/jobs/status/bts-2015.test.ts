import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlightInstance, StatusDetails } from '../../../generated/flight-info/v2/types.gen.ts';
import { localDate } from '../../../src/domain/time/dates.ts';
import { countReasons, type LoadReport } from '../../../src/feeds/load-report.ts';
import { importSsim } from '../../../src/jobs/import/import-ssim.ts';
import { findSharedData } from '../../support/shared-data.ts';
import { formatClock } from './flown-rows.ts';
import { formatFlight, openRealWorld, readTable, getStatus, type RealWorld, type Row } from './real-world.ts';
import { formatTimeliness, formatVariation } from './real-world.ts';

const master = findSharedData('master');
const ssim = findSharedData('ssim/bts_derived_2015-01-01_02.ssim.gz');
const onTime = findSharedData('bts/bts_ontime_2015-01-01_02_all_carriers.csv.gz');
const absent = !master || !ssim || !onTime;
if (absent) console.warn('The shared data is absent: the status of two days of US flights is not tested in this run.');

const days = ['2015-01-01', '2015-01-02'];

const rowDate = (row: Row): string => `${row('YEAR')}-${row('MONTH').padStart(2, '0')}-${row('DAY').padStart(2, '0')}`;

const rowName = (row: Row): string =>
  `${row('AIRLINE')}${row('FLIGHT_NUMBER')} ${row('ORIGIN_AIRPORT')}-${row('DESTINATION_AIRPORT')} ${rowDate(row)}`;

/** The state of a flight according to the file; a diverted flight without an arrival time has an unknown end. */
const rowState = (row: Row): StatusDetails['state'] => {
  if (row('CANCELLED') === '1') return 'Canceled';
  return row('ARRIVAL_TIME') === '' ? 'inAir' : 'InGate';
};

const filed = (row: Row): object => ({
  name: rowName(row),
  scheduled: [formatClock(row('SCHEDULED_DEPARTURE')), formatClock(row('SCHEDULED_ARRIVAL'))],
  minutes: Number(row('SCHEDULED_TIME')),
  state: rowState(row),
  tail: row('TAIL_NUMBER') || undefined,
  ...(row('DEPARTURE_DELAY') !== '' && {
    out: [formatTimeliness(row('DEPARTURE_DELAY')), formatVariation(row('DEPARTURE_DELAY'))],
  }),
  ...(row('ARRIVAL_DELAY') !== '' && {
    in: [formatTimeliness(row('ARRIVAL_DELAY')), formatVariation(row('ARRIVAL_DELAY'))],
  }),
  diverted: row('DIVERTED') === '1',
});

const toComparable = (flight: FlightInstance): object => {
  const { state, equipment, departure, arrival, irregularOperationType } = getStatus(flight);
  const [out, arrived] = [departure?.actualTime, arrival?.actualTime];
  return {
    name: formatFlight(flight),
    scheduled: [flight.departure.time.local, flight.arrival.time.local],
    minutes: flight.elapsedTime,
    state,
    tail: equipment?.aircraftRegistrationNumber,
    ...(out?.outGate && { out: [out.outGateTimeliness, out.outGateVariation] }),
    // The file lacks the delay of a diverted flight.
    ...(arrived?.inGate &&
      irregularOperationType === undefined && { in: [arrived.inGateTimeliness, arrived.inGateVariation] }),
    diverted: irregularOperationType === 'Diverted',
  };
};

const sorted = (values: readonly object[]): readonly string[] => values.map((one) => JSON.stringify(one)).toSorted();

const isLeg = (flight: FlightInstance): boolean => flight.segmentInfo.numberOfStops === 0;

const utcOf = ({ date, time }: FlightInstance['departure']): string => `${date.utc}T${time.utc}`;

/** The legs of a flight with stops, each the first of its route to depart after the arrival of the previous one. */
const legsOf = (
  through: FlightInstance,
  byWay: ReadonlyMap<string, readonly FlightInstance[]>,
): readonly FlightInstance[] => {
  const { iata: carrier } = through.carrier;
  const stops = through.segmentInfo.intermediateAirports.iata.map(({ station }) => station);
  const stations = [through.departure.airport.iata, ...stops, through.arrival.airport.iata];
  const legs: FlightInstance[] = [];
  let after = utcOf(through.departure);
  for (const [index, to] of stations.slice(1).entries()) {
    const route = `${carrier}${through.flightNumber} ${stations[index]}-${to}`;
    const leg = byWay.get(route)?.find(({ departure }) => utcOf(departure) >= after);
    if (!leg) throw new Error(`${formatFlight(through)} has no leg ${route}`);
    legs.push(leg);
    after = utcOf(leg.arrival);
  }
  return legs;
};

describe.skipIf(absent)('two days of all US carriers, as scheduled and as flown', () => {
  let world: RealWorld;
  let rows: readonly Row[] = [];
  let schedules: LoadReport;
  let report: LoadReport;
  let flights: readonly FlightInstance[] = [];

  beforeAll(async () => {
    world = await openRealWorld();
    const today = localDate('2015-01-02');
    schedules = await importSsim({ db: world.db, file: ssim ?? '', today, horizonDays: 3 });
    report = await world.importOnTime(onTime ?? '');
    rows = readTable(onTime ?? '');
    flights = await world.search({ DepartureDateTime: days.join('/'), Codeshare: 'Operating', Content: 'Status' });
  }, 180_000);
  afterAll(() => world?.drop());

  test('the schedule loads without a record in quarantine', () => {
    expect(countReasons(schedules)).toEqual({ 'arrival-date-inferred': 1, 'serial-restart': 13 });
    expect(schedules.accepted).toMatchObject({ leg: 23_488, carrier: 14 });
  });

  test('every row of the on-time file is stored with its scheduled flight', async () => {
    expect(report).toEqual({
      source: 'bts_ontime_2015-01-01_02_all_carriers.csv.gz',
      accepted: { messages: 30_691 },
      entries: [],
    });
    const [stored] = await world.db`
      select (select count(*)::int from status_message) as messages, (select count(*)::int from flight_status) as statuses,
        (select count(*)::int from status_quarantine) as quarantined,
        (select count(*)::int from flight_instance where flight_type <> 'S') as unscheduled`;
    expect(stored).toEqual({ messages: 30_691, statuses: 30_691, quarantined: 0, unscheduled: 0 });
  });

  test('each flight has the scheduled times, the aircraft, the state, the variations and the timeliness of its row', () => {
    const legs = flights.filter(isLeg);
    expect(legs).toHaveLength(30_691);
    const [expected, matches] = [sorted(rows.map(filed)), sorted(legs.map(toComparable))];
    const wrong = expected.flatMap((text, index) => (text === matches[index] ? [] : [[text, matches[index]]]));
    expect(wrong).toEqual([]);
  });

  test('a flight with stops as a whole has a status composed of those of its legs', () => {
    const byWay = Map.groupBy(
      flights.filter(isLeg).toSorted((a, b) => (utcOf(a.departure) < utcOf(b.departure) ? -1 : 1)),
      (flight) => formatFlight(flight).slice(0, -' 2015-01-01'.length),
    );
    const through = flights.filter((flight) => !isLeg(flight));
    const wrong = through.filter((flight) => {
      const legs = legsOf(flight, byWay).map(getStatus);
      const flown = legs.findLast(({ state }) => state !== 'Canceled');
      const isCancelled = legs.some(({ state }) => state === 'Canceled');
      const { state, updatedAt, departure, arrival } = getStatus(flight);
      const updates = legs.map((leg) => leg.updatedAt).toSorted();
      const expected = {
        state: isCancelled ? 'Canceled' : flown?.state,
        updatedAt: updates.at(-1),
        departure: legs[0]?.departure,
        arrival: legs.at(-1)?.arrival,
      };
      return JSON.stringify({ state, updatedAt, departure, arrival }) !== JSON.stringify(expected);
    });
    expect(wrong.map(formatFlight)).toEqual([]);
    expect(through).toHaveLength(4135);
  });
});
