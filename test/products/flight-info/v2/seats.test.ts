import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDate } from '../../../../src/domain/time/dates.ts';
import { predictSeats } from '../../../../src/jobs/statistics/predict-seats.ts';
import { serveStatuses, xx101, type StatusService } from './status-service.ts';

let world: StatusService;
beforeAll(async () => {
  world = await serveStatuses();
});
afterAll(() => world.drop());

const june = (day: number): string => `DepartureDateTime=2026-06-0${day}&CarrierCode=XX&FlightNumber=101`;
const seatsOn = async (day: number) => (await world.getOnly(`${june(day)}&Content=Seats`)).seatingCapacity;

const configured = { firstClass: 0, businessClass: 30, premiumEconomyClass: 21, economyClass: 178, totalSeats: 229 };
const flown = {
  firstClass: 8,
  businessClass: 40,
  premiumEconomyClass: 24,
  economyPlusClass: 32,
  economyClass: 120,
  totalSeats: 224,
};

describe('actual seats', () => {
  test('are those of the scheduled configuration', async () => {
    const plain = await world.getOnly(june(1));
    expect(await world.getOnly(`${june(1)}&Content=Seats`)).toEqual({
      ...plain,
      seatingCapacity: { actual: configured },
    });
    expect(plain).not.toHaveProperty('seatingCapacity');
  });

  test('are those of the actual aircraft once reported, with and without Status', async () => {
    await world.report(xx101(), ['2026-06-01T08:00:00Z', { seats: flown }]);
    expect(await seatsOn(1)).toEqual({ actual: flown });
    const both = await world.getOnly(`${june(1)}&Content=Seats,Status`);
    expect([both.seatingCapacity, both.statusDetails?.length]).toEqual([{ actual: flown }, 1]);
    expect((await world.getSingle(both)).seatingCapacity).toEqual({ actual: flown });
    expect(await seatsOn(2)).toEqual({ actual: configured });
  });

  test('are those of the operating flight on a marketing flight', async () => {
    const marketing = await world.getOnly('DepartureDateTime=2026-06-01&FlightNumber=5101&Content=Seats');
    expect(marketing.seatingCapacity).toEqual({ actual: flown });
  });

  test('omit values unknown to the feed', async () => {
    await world.report(xx101(), ['2026-06-01T08:10:00Z', { seats: { totalSeats: 220 } }]);
    expect(await seatsOn(1)).toEqual({ actual: { totalSeats: 220 } });
  });

  test('are the scheduled ones again when the feed withdraws its own', async () => {
    await world.report(xx101(), ['2026-06-01T08:20:00Z', { seats: null }]);
    expect(await seatsOn(1)).toEqual({ actual: configured });
  });

  test('are absent, with all of seatingCapacity, if unknown', async () => {
    const freighter = await world.getOnly('DepartureDateTime=2026-06-01&FlightNumber=501&Content=Seats');
    expect(freighter).not.toHaveProperty('seatingCapacity');
    expect(await world.getSingle(freighter)).not.toHaveProperty('seatingCapacity');
  });
});

describe('predicted seats', () => {
  beforeAll(async () => {
    await world.report(xx101('2026-06-02'), ['2026-06-02T08:00:00Z', { seats: flown }]);
    await world.report(xx101(), ['2026-06-02T08:00:00Z', { seats: flown }]);
    await predictSeats(world.db, localDate('2026-06-03'));
  });

  test('are those of earlier flights of the same number, route and carrier', async () => {
    expect(await seatsOn(3)).toEqual({ actual: configured, predicted: flown });
    const single = await world.getSingle(await world.getOnly(june(3)));
    expect(single.seatingCapacity).toEqual({ actual: configured, predicted: flown });
  });

  test('are absent before the first day of their validity', async () => {
    expect(await seatsOn(2)).toEqual({ actual: flown });
  });

  test('are the only ones if no configuration is filed', async () => {
    await world.report({ carrier: 'YY', flightNumber: 201, originDate: '2026-06-02', departureAirport: 'AKL' }, [
      '2026-06-02T08:00:00Z',
      { seats: { totalSeats: 180 } },
    ]);
    await predictSeats(world.db, localDate('2026-06-03'));
    const flight = await world.getOnly('DepartureDateTime=2026-06-03&FlightNumber=201&Content=Seats');
    expect(flight.seatingCapacity).toEqual({ predicted: { totalSeats: 180 } });
  });
});
