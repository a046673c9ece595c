import { describe, expect, test } from 'vitest';
import { computeAirtime, fractionFlown } from '#products/flight-info/v2/map/estimate-position.ts';
import { planDiversion, planLeg } from '#products/flight-info/v2/map/estimate-position.ts';
import type { MapLeg } from '#products/flight-info/v2/map/estimate-position.ts';
import { trackMetres } from '#products/flight-info/v2/map/great-circle.ts';
import { at, DEN, JFK, LAX, LHR, noLanding, noTakeOff } from './sample-flights.ts';

const scheduledOut = at('2027-03-01T13:00Z');
const leg: MapLeg = {
  from: JFK,
  to: LAX,
  takeOff: { ...noTakeOff, scheduledOut },
  landing: noLanding,
  scheduledIn: at('2027-03-01T19:20Z'),
};

describe('the time in the air', () => {
  const at1 = (time: string) => at(`2027-03-01T${time}Z`);
  const gate = { actualOut: at1('13:04') };
  const late = { actualOff: at1('15:15') };
  const off = at1('13:22');
  const onRunway = { ...gate, estimatedOff: at1('13:30'), actualOff: off };
  const atGate = { ...gate, estimatedOut: off };
  const atGateIn = { actualIn: at1('19:00'), estimatedIn: off };
  const unscheduled = { scheduledOut: undefined, actualOff: off };
  const byDistance = off + trackMetres([JFK, LAX]) / (780 / 3.6);
  test.each<readonly [string, takeOff: object, landing: object, off: number, on: number]>([
    ['on the runway', onRunway, { estimatedOn: at1('19:05') }, off, at1('19:05')],
    ['at the gate with 15 minutes out and 8 in', gate, { estimatedIn: at1('19:00') }, at1('13:19'), at1('18:52')],
    ['at the actual gate before the estimated one', atGate, atGateIn, at1('13:19'), at1('18:52')],
    ['as planned for a late flight without further reports', late, {}, at1('15:15'), at1('21:12')],
    ['by distance with a landing before the take-off', unscheduled, { estimatedOn: scheduledOut }, off, byDistance],
  ])('is that %s', (_, takeOff, landing, expectedOff, on) => {
    const known = { ...leg, takeOff: { ...leg.takeOff, ...takeOff }, landing: { ...noLanding, ...landing } };
    expect(computeAirtime(known)).toEqual({ off: expectedOff, on });
  });

  test('is computed from the distance without a schedule, and unknown without times', () => {
    const takeOff = { ...noTakeOff, actualOff: off };
    expect(computeAirtime({ ...leg, takeOff, scheduledIn: undefined })).toEqual({ off, on: byDistance });
    expect(computeAirtime({ ...leg, takeOff: noTakeOff })).toBeUndefined();
  });

  test('has a flown fraction from 0 to 1', () => {
    const airtime = { off: 100, on: 300 };
    expect([0, 100, 150, 300, 999].map((now) => fractionFlown(airtime, now))).toEqual([0, 0, 0.25, 1, 1]);
    expect(fractionFlown({ off: 100, on: 100 }, 50)).toBe(1);
  });
});

const planned = { ...leg, takeOff: { ...leg.takeOff, actualOff: at('2027-03-01T13:15Z') } };

test('a diverted flight flies straight at planned speed without a landing time', () => {
  const { track, airtime } = planDiversion(planned, DEN, noLanding);
  expect(track).toEqual([JFK, DEN]);
  const seconds = (at('2027-03-01T19:12Z') - at('2027-03-01T13:15Z')) * (trackMetres(track) / trackMetres([JFK, LAX]));
  expect(airtime).toEqual({ off: at('2027-03-01T13:15Z'), on: at('2027-03-01T13:15Z') + seconds });
});

test('a diverted flight with a landing time that is not after its take-off flies at planned speed', () => {
  const off = at('2027-03-01T13:15Z');
  expect(planDiversion(planned, DEN, { ...noLanding, estimatedOn: off })).toEqual(
    planDiversion(planned, DEN, noLanding),
  );
});

test('a diverted flight that was planned to return to its departure airport flies at mean speed', () => {
  const { airtime } = planDiversion({ ...planned, to: JFK }, DEN, noLanding);
  const off = at('2027-03-01T13:15Z');
  expect(airtime).toEqual({ off, on: off + trackMetres([JFK, DEN]) / (780 / 3.6) });
});

test('a diverted flight turns off its track where the remaining time is just enough', () => {
  const { track, airtime } = planDiversion(planned, DEN, { ...noLanding, estimatedOn: at('2027-03-01T18:15Z') });
  const speed = trackMetres([JFK, LAX]) / (at('2027-03-01T19:12Z') - at('2027-03-01T13:15Z'));
  expect([track.length, track[0], track.at(-1)]).toEqual([3, JFK, DEN]);
  expect(Math.abs(trackMetres(track) / speed - 5 * 3600)).toBeLessThan(60);
  expect(airtime).toEqual({ off: at('2027-03-01T13:15Z'), on: at('2027-03-01T18:15Z') });
});

test('a diverted flight that returns turns half way through its time', () => {
  const { track } = planDiversion(planned, JFK, { ...noLanding, actualOn: at('2027-03-01T15:15Z') });
  const [, turn = LHR] = track;
  expect(trackMetres([JFK, turn]) / trackMetres([JFK, LAX])).toBeCloseTo(3600 / (357 * 60), 2);
});

test('a diverted flight that returns at an unknown time has no position', () => {
  expect(planDiversion(planned, JFK, noLanding)).toEqual({ track: [JFK, JFK], airtime: undefined });
});

test('a leg as scheduled follows the great circle', () => {
  const expected = { track: [JFK, LAX], airtime: { off: at('2027-03-01T13:15Z'), on: at('2027-03-01T19:12Z') } };
  expect(planLeg(leg)).toEqual(expected);
});
