import { expect, test } from 'vitest';
import { buildFlightMap } from '#products/flight-info/v2/map/flight-map.ts';
import { at, atlantic, atMs, channel, CDG, DEN, diverted, JFK, landingAt, LAX, LHR } from './sample-flights.ts';
import { noLanding, pacific } from './sample-flights.ts';

const noon = atMs('2027-03-01T13:30Z');
const time = (iso: string, zone: string, dayShift = 0) => ({ text: iso.slice(11, 16), dayShift, iso, zone });
const utc = (minute: string) => time(`2027-03-01T${minute}:00+00:00`, 'UTC');
const eastern = (minute: string) => time(`2027-03-01T${minute}:00-05:00`, 'UTC−5');
const placed = ({ code, city, name, latitude, longitude }: typeof LHR) => ({ code, city, name, latitude, longitude });

test('a flight in the air has all properties', () => {
  const { tracks, position, ...rest } = buildFlightMap(atlantic, noon);
  expect(rest).toEqual({
    title: 'ZX 101',
    date: '1 March 2027',
    state: 'inAir',
    departure: placed(LHR),
    arrival: placed(JFK),
    stops: [],
    diversion: undefined,
    progress: { percent: 37, flownKm: 2056, toGoKm: 3484 },
    departureSummary: { time: utc('10:27'), kind: 'actual', punctuality: '22 min late' },
    arrivalSummary: { time: eastern('13:22'), kind: 'estimated', punctuality: '12 min late' },
    times: [
      {
        role: 'Departure',
        code: 'LHR',
        name: 'London',
        zone: 'UTC',
        rows: [
          { label: 'Off the gate', scheduled: utc('10:05'), estimated: utc('10:25'), actual: utc('10:27') },
          { label: 'Take-off', scheduled: undefined, estimated: utc('10:40'), actual: utc('10:43') },
        ],
      },
      {
        role: 'Arrival',
        code: 'JFK',
        name: 'New York',
        zone: 'UTC−5',
        rows: [
          { label: 'Landing', scheduled: undefined, estimated: eastern('13:13'), actual: undefined },
          { label: 'At the gate', scheduled: eastern('13:10'), estimated: eastern('13:22'), actual: undefined },
        ],
      },
    ],
    updatedAt: '2027-03-01T13:21:00.000Z',
  });
  expect(position).toEqual({
    latitude: expect.closeTo(53.394, 3),
    longitude: expect.closeTo(-30.851, 3),
    bearing: expect.closeTo(263.635, 2),
  });
  const here = { latitude: position?.latitude, longitude: position?.longitude };
  expect(tracks).toEqual({ whole: [[LHR, JFK]], flown: [[LHR, here]], ahead: [[here, JFK]], abandoned: [] });
});

test('a flight in the air arrives by the local date of its arrival airport, half a day before its departure', () => {
  const { arrivalSummary, departureSummary } = buildFlightMap(pacific, atMs('2027-03-02T11:00Z'));
  expect(departureSummary.time).toEqual(time('2027-03-02T19:28:00+13:00', 'UTC+13'));
  const estimated = time('2027-03-02T10:10:00-08:00', 'UTC−8');
  expect(arrivalSummary).toEqual({ time: estimated, kind: 'estimated', punctuality: '25 min early' });
  const westward = { ...pacific, scheduledIn: at('2027-03-03T08:30Z'), destination: noLanding };
  expect(buildFlightMap(westward, noon).arrivalSummary.time?.dayShift).toBe(1);
});

test.each([
  ['Asia/Kolkata', '2027-03-01T23:52:00+05:30', 'UTC+5:30', 0],
  ['Australia/Eucla', '2027-03-02T03:07:00+08:45', 'UTC+8:45', 1],
  ['America/St_Johns', '2027-03-01T14:52:00-03:30', 'UTC−3:30', 0],
])('the time of an arrival in %s is %s', (zone, iso, name, dayShift) => {
  const { arrivalSummary } = buildFlightMap({ ...atlantic, arrival: { ...JFK, zone } }, noon);
  expect(arrivalSummary.time).toEqual(time(iso, name, dayShift));
});

test('a flight in the air stays at its ends before departure and after arrival', () => {
  const of = (text: string) => buildFlightMap(channel, atMs(text));
  expect(of('2027-03-01T08:00Z').progress).toEqual({ percent: 0, flownKm: 0, toGoKm: 347 });
  expect(of('2027-03-01T12:00Z').progress).toEqual({ percent: 100, flownKm: 347, toGoKm: 0 });
  expect(of('2027-03-01T12:00Z').position).toMatchObject({ latitude: CDG.latitude, longitude: CDG.longitude });
});

test('a diverted flight leaves its track, and the rest of it is abandoned', () => {
  const { tracks, diversion, arrivalSummary, progress } = buildFlightMap(diverted, atMs('2027-03-01T16:40Z'));
  const [[, turn] = []] = tracks.whole;
  expect(tracks.whole).toEqual([[JFK, turn, DEN]]);
  expect(tracks.abandoned).toEqual([[turn, LAX]]);
  expect(diversion).toEqual({
    airport: placed(DEN),
    isStop: false,
    isReturn: false,
    summary: { time: time('2027-03-01T11:10:00-07:00', 'UTC−7'), kind: 'expected at the gate', punctuality: '' },
  });
  const scheduled = time('2027-03-01T11:20:00-08:00', 'UTC−8');
  expect(arrivalSummary).toEqual({ time: scheduled, kind: 'scheduled', punctuality: '' });
  expect(progress?.percent).toBe(71);
});

test('a diverted flight has landed at its diversion airport', () => {
  const landing = landingAt(DEN, { actualOn: at('2027-03-01T18:00Z') });
  const { tracks, position } = buildFlightMap({ ...diverted, state: 'Landed', landings: [landing] }, noon);
  expect([position, tracks.ahead, tracks.flown.map((track) => track.at(-1))]).toEqual([undefined, [], [DEN]]);
});

test('a diverted flight has no destination on the map until it is reported', () => {
  const { tracks, position, diversion } = buildFlightMap({ ...diverted, landings: [landingAt(undefined)] }, noon);
  expect({ tracks, position, diversion }).toEqual({
    tracks: { whole: [], flown: [], ahead: [], abandoned: [[JFK, LAX]] },
    position: undefined,
    diversion: { airport: undefined, isStop: false, isReturn: false, summary: undefined },
  });
});

test('a diverted flight that departs again flies its second leg', () => {
  const times = { actualOn: at('2027-03-01T17:30Z'), actualOff: at('2027-03-01T18:30Z') };
  const stop = landingAt(DEN, { ...times, type: 'TechnicalStop' });
  const source = { ...diverted, landings: [stop], boundFor: undefined };
  const { stops, tracks, progress } = buildFlightMap(source, atMs('2027-03-01T19:00Z'));
  expect(stops).toEqual([placed(DEN)]);
  expect(tracks.whole.at(-1)).toEqual([DEN, LAX]);
  expect(tracks.flown).toHaveLength(2);
  // 1 385 km at cruising speed take 106 minutes, and 30 have passed.
  expect(progress?.toGoKm).toBe(995);
});

test('a diverted flight bound for a stop still has its route to the scheduled arrival', () => {
  const landings = [landingAt(DEN, { type: 'TechnicalStop' })];
  const destination = { ...noLanding, estimatedIn: at('2027-03-01T21:00Z') };
  const { tracks, arrivalSummary } = buildFlightMap({ ...diverted, landings, destination }, noon);
  expect(tracks.abandoned).toEqual([[DEN, LAX]]);
  expect(arrivalSummary.punctuality).toBe('1 h 40 min late');
});

test('a flight before departure is fully remaining, and one that has landed fully flown', () => {
  const tracksOf = (state: typeof atlantic.state) => buildFlightMap({ ...atlantic, state }, noon).tracks;
  const route = [[LHR, JFK]];
  expect(tracksOf('Scheduled')).toMatchObject({ flown: [], ahead: route });
  expect(tracksOf('InGate')).toMatchObject({ flown: route, ahead: [] });
});
