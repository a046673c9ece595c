import { describe, expect, test } from 'vitest';
import {
  computeAirtime,
  fractionFlown,
  planDiversion,
  planLeg,
  type MapLeg,
} from '../../../../../src/products/flight-info/v2/map/estimate-position.ts';
import { trackMetres } from '../../../../../src/products/flight-info/v2/map/great-circle.ts';
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
  test('is that of the runway if reported', () => {
    const times = { off: at('2027-03-01T13:22Z'), on: at('2027-03-01T19:05Z') };
    const takeOff = {
      ...leg.takeOff,
      actualOut: at('2027-03-01T13:04Z'),
      estimatedOff: at('2027-03-01T13:30Z'),
      actualOff: times.off,
    };
    expect(computeAirtime({ ...leg, takeOff, landing: { ...noLanding, estimatedOn: times.on } })).toEqual(times);
  });

  test('is that of the gate with 15 minutes out and 8 in if only that is reported', () => {
    const takeOff = { ...leg.takeOff, actualOut: at('2027-03-01T13:04Z') };
    expect(
      computeAirtime({ ...leg, takeOff, landing: { ...noLanding, estimatedIn: at('2027-03-01T19:00Z') } }),
    ).toEqual({
      off: at('2027-03-01T13:19Z'),
      on: at('2027-03-01T18:52Z'),
    });
  });

  test('of a late flight is as long as planned without further reports', () => {
    const takeOff = { ...leg.takeOff, actualOff: at('2027-03-01T15:15Z') };
    expect(computeAirtime({ ...leg, takeOff })).toEqual({ off: at('2027-03-01T15:15Z'), on: at('2027-03-01T21:12Z') });
  });

  test('is computed from the distance without a schedule, or with a landing before the take-off', () => {
    const off = at('2027-03-01T13:22Z');
    const expected = { off, on: off + trackMetres([JFK, LAX]) / (780 / 3.6) };
    const takeOff = { ...noTakeOff, actualOff: off };
    expect(computeAirtime({ ...leg, takeOff, scheduledIn: undefined })).toEqual(expected);
    expect(computeAirtime({ ...leg, takeOff, landing: { ...noLanding, estimatedOn: scheduledOut } })).toEqual(expected);
  });

  test('is unknown for a flight without times', () => {
    expect(computeAirtime({ ...leg, takeOff: noTakeOff })).toBeUndefined();
  });

  test('has a flown fraction from 0 to 1', () => {
    const airtime = { off: 100, on: 300 };
    expect([0, 100, 150, 300, 999].map((now) => fractionFlown(airtime, now))).toEqual([0, 0, 0.25, 1, 1]);
    expect(fractionFlown({ off: 100, on: 100 }, 50)).toBe(1);
  });
});

describe('a diverted flight', () => {
  const planned = { ...leg, takeOff: { ...leg.takeOff, actualOff: at('2027-03-01T13:15Z') } };

  test('flies straight at planned speed without a landing time', () => {
    const { track, airtime } = planDiversion(planned, DEN, noLanding);
    expect(track).toEqual([JFK, DEN]);
    const seconds =
      (at('2027-03-01T19:12Z') - at('2027-03-01T13:15Z')) * (trackMetres(track) / trackMetres([JFK, LAX]));
    expect(airtime).toEqual({ off: at('2027-03-01T13:15Z'), on: at('2027-03-01T13:15Z') + seconds });
  });

  test('turns off its track where the remaining time is just enough', () => {
    const { track, airtime } = planDiversion(planned, DEN, { ...noLanding, estimatedOn: at('2027-03-01T18:15Z') });
    const speed = trackMetres([JFK, LAX]) / (at('2027-03-01T19:12Z') - at('2027-03-01T13:15Z'));
    expect([track.length, track[0], track.at(-1)]).toEqual([3, JFK, DEN]);
    expect(Math.abs(trackMetres(track) / speed - 5 * 3600)).toBeLessThan(60);
    expect(airtime).toEqual({ off: at('2027-03-01T13:15Z'), on: at('2027-03-01T18:15Z') });
  });

  test('that returns turns half way through its time', () => {
    const { track } = planDiversion(planned, JFK, { ...noLanding, actualOn: at('2027-03-01T15:15Z') });
    const [, turn = LHR] = track;
    expect(trackMetres([JFK, turn]) / trackMetres([JFK, LAX])).toBeCloseTo(3600 / (357 * 60), 2);
  });

  test('that returns at an unknown time has no position', () => {
    expect(planDiversion(planned, JFK, noLanding)).toEqual({ track: [JFK, JFK], airtime: undefined });
  });
});

test('a leg as scheduled follows the great circle', () => {
  expect(planLeg(leg)).toEqual({
    track: [JFK, LAX],
    airtime: { off: at('2027-03-01T13:15Z'), on: at('2027-03-01T19:12Z') },
  });
});
