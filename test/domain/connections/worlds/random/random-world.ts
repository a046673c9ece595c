import { MCT_DEFAULTS } from '#domain/connections/mct/mct-record.ts';
import type { Itinerary } from '#domain/schedule/schedule.ts';
import type { World } from '../oracle/world.ts';
import { createRandom, type SeededRandom } from '#test/lib/seeded-random.ts';
import { createCodeshare, createItinerary } from './itineraries.ts';
import { createMctFile } from './mct-file.ts';
import { allStations, findStation, themes, type WorldSetting } from './setting.ts';

const bodies = { '789': 'W', '77W': 'W', '320': 'N', '73H': 'N', AT7: 'N', ZZZ: '' } as const;

/** The kind of a world: some three weeks, the same with flights of several days, or a whole year. */
export type WorldKind = 'weeks' | 'slow' | 'year';

const kinds = {
  weeks: { slowPercent: 4, mostDays: 20, before: [4, 9], days: [1, 7, 14, 20, 25, 30], flights: [6, 25] },
  slow: { slowPercent: 70, mostDays: 20, before: [9, 20], days: [14, 20, 25], flights: [6, 25] },
  year: { slowPercent: 4, mostDays: 400, before: [100, 200], days: [200, 365], flights: [6, 12] },
} as const;

const settingOf = ({ slowPercent, mostDays }: (typeof kinds)[WorldKind], random: SeededRandom): WorldSetting => {
  const theme = random.pick(themes);
  const codes = random.sample(theme.codes, random.integer(4, 8));
  const [hub, second] = codes;
  if (hub === undefined || second === undefined) throw new Error('a world has four places');
  // The other airports of the hub city are added, so that connections can change airports.
  const city = findStation(hub)?.cityCode;
  const siblings = theme.codes.filter((code) => code !== hub && city !== '' && findStation(code)?.cityCode === city);
  const hubs = random.chance(70) ? [hub, ...siblings] : random.chance(50) ? [hub, second] : [hub];
  return {
    theme,
    codes: [...new Set([...hubs, ...codes])],
    hubs,
    carriers: random.sample(['XA', 'YB', 'ZC', '9D', 'QXE'], random.integer(2, 4)),
    slowPercent,
    maxDays: mostDays,
    random,
  };
};

const allItineraries = (setting: WorldSetting, count: number): readonly Itinerary[] => {
  const { carriers, random } = setting;
  const variations = new Map<string, number>();
  const designate = () => {
    const carrier = random.pick(carriers);
    const flightNumber = random.chance(85) ? random.integer(1, 60) : random.integer(900, 1100);
    const one = { carrier, flightNumber, suffix: random.chance(8) ? 'A' : '' };
    const key = JSON.stringify(one);
    const itinerary = (variations.get(key) ?? 0) + 1;
    variations.set(key, itinerary);
    return { ...one, itinerary };
  };
  const itineraries: Itinerary[] = [];
  while (itineraries.length < count) {
    const operating = createItinerary(designate(), setting);
    itineraries.push(operating);
    if (random.chance(25)) {
      const designator = designate();
      if (designator.carrier !== operating.legs[0].carrier)
        itineraries.push(createCodeshare(operating, designator, setting));
    }
  }
  return itineraries;
};

/** Cancels some flights, or one leg of them, on days around that of the theme; other random values stay the same. */
const listCancelled = (itineraries: readonly Itinerary[], day: number, random: SeededRandom): World['cancelled'] =>
  itineraries.flatMap(({ legs }) => {
    const cancel = () => {
      const date = day + random.integer(-4, 4);
      return { flight: legs[0], date, leg: random.chance(50) ? random.pick(legs) : undefined };
    };
    return random.chance(20) ? random.times(2, cancel) : [];
  });

/** Creates a world in which flights meet within hours around a clock change; the same seed gives the same world. */
export const createRandomWorld = (seed: number, kind: WorldKind = 'weeks'): World => {
  const random = createRandom(seed);
  const { before, days, flights } = kinds[kind];
  const setting = settingOf(kinds[kind], random);
  const itineraries = allItineraries(setting, random.integer(flights[0], flights[1]));
  const alliance = (): string => random.pick(['Northern', 'Southern', '', '']);
  const byCarrier = setting.carriers.map((carrier) => [carrier, alliance()] as const);
  return {
    stations: allStations,
    bodies,
    alliances: random.chance(50) ? Object.fromEntries(byCarrier.filter(([, name]) => name !== '')) : {},
    itineraries,
    cancelled: listCancelled(itineraries, setting.theme.day, createRandom(seed + 1_000_000)),
    mct: createMctFile(setting, itineraries),
    defaults: random.chance(70)
      ? MCT_DEFAULTS
      : {
          DD: random.integer(0, 12) * 5,
          DI: 45,
          ID: 75,
          II: random.integer(3, 30) * 5,
          interAirport: random.integer(6, 40) * 5,
        },
    from: setting.theme.day - random.integer(before[0], before[1]),
    days: random.pick(days),
  };
};
