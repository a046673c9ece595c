import type { Itinerary } from '#domain/schedule/schedule.ts';
import { computeMinimum, type Minimum } from './minimum.ts';
import { board, formatDesignator, listDesignators, off, operatorOf } from './flights.ts';
import type { Flight, Instance, OracleDesignator } from './flights.ts';
import { isAllowed, type ServiceName, type RestrictedFlight } from './restrictions.ts';
import { formatMinute } from './clock.ts';
import { splitLegs } from './segment-texts.ts';
import type { Station, World } from './world.ts';

export type Judgement = {
  /** The first rule that forbids the connection. */
  readonly forbiddenBy: string | undefined;
  readonly minutes: number;
  readonly minimum: Minimum | undefined;
  readonly type: string;
  readonly services: readonly ServiceName[];
  readonly circuity: number | undefined;
};

const passengers = 'JSUGBCOQRL';
const freight = 'FVMAHQRL';

const servicesOf = ({ service }: Flight): readonly ServiceName[] => [
  ...(passengers.includes(service) ? (['passenger'] as const) : []),
  ...(freight.includes(service) ? (['cargo'] as const) : []),
];

/** Returns whether a flight carries passengers or cargo; other flights are excluded. */
export const isCommercial = (flight: Flight): boolean => servicesOf(flight).length > 0;

type Point = readonly [x: number, y: number, z: number];

const pointOf = ({ latitude, longitude }: Station): Point | undefined => {
  if (latitude === undefined || longitude === undefined) return undefined;
  const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
};

/** The angle between two points on a sphere; half the chord is the sine of half the angle. */
const angle = (one: Point, other: Point): number =>
  2 * Math.asin(Math.min(1, Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]) / 2));

/** Percent of the direct distance; undefined when a position is unknown. */
const circuityOf = (leg1: Flight, leg2: Flight): number | undefined => {
  let flown = 0;
  for (const { stations } of [leg1, leg2])
    for (let index = 1; index < stations.length; index += 1) {
      const [from, to] = [stations[index - 1], stations[index]].map((station) => station && pointOf(station));
      if (!from || !to) return undefined;
      flown += angle(from, to);
    }
  const [from, to] = [pointOf(board(leg1)), pointOf(off(leg2))];
  return from && to && (100 * flown) / angle(from, to);
};

const restricted = ({ stations, restrictions: filed, service, carrier }: Flight): RestrictedFlight => {
  const [from, to] = [stations[0]?.countryCode, stations.at(-1)?.countryCode];
  return { filed, service, isInternational: !from || !to || from !== to, carrier };
};

/** `seller operator` of all flights with a marketing designator other than that of the operating carrier. */
const listCodeshares = (itineraries: readonly Itinerary[]): ReadonlySet<string> => {
  const pairs = new Set<string>();
  const add = (seller: string, operator: string): void => {
    if (operator !== '' && seller !== operator) pairs.add(`${seller} ${operator}`);
  };
  for (const { legs, segmentData } of itineraries) {
    const own = legs[0].carrier;
    for (const { dei, data } of segmentData)
      for (const { carrier } of dei === 10 || dei === 50 ? listDesignators(data) : [])
        if (dei === 10) add(carrier, own);
        else add(own, carrier);
    for (const run of splitLegs({ legs, data: segmentData })) {
      add(own, operatorOf(run));
    }
  }
  return pairs;
};

const areEqual = (one: OracleDesignator, other: OracleDesignator): boolean =>
  formatDesignator(one) === formatDesignator(other);

type Judge = (one: Instance, other: Instance) => Judgement;

export const createJudge = (world: World): Judge => {
  const codeshares = listCodeshares(world.itineraries);
  const partnersOf = (carrier: string): readonly string[] | undefined => {
    const lists = world.mct.partners.filter((list) => list.carrier === carrier);
    return lists.length === 0 ? undefined : lists.flatMap(({ partners }) => partners);
  };
  const rejects = (one: string, other: string): boolean => one !== other && partnersOf(one)?.includes(other) === false;
  const typeOf = (one: string, other: string): string => {
    if (one === other) return 'o';
    const areAllied = world.alliances[one] !== undefined && world.alliances[one] === world.alliances[other];
    const areFiled = partnersOf(one)?.includes(other) === true || partnersOf(other)?.includes(one) === true;
    return areAllied || areFiled || codeshares.has(`${one} ${other}`) || codeshares.has(`${other} ${one}`) ? 'i' : 'n';
  };

  return ({ flight: leg1, arrivesLocal, arrivesUtc }, { flight: leg2, departsUtc }) => {
    const minutes = departsUtc - arrivesUtc;
    const type = typeOf(leg1.carrier, leg2.carrier);
    const common = servicesOf(leg1).filter((service) => servicesOf(leg2).includes(service));
    const circuity = circuityOf(leg1, leg2);
    const result = { minutes, type, services: common, circuity, minimum: undefined };
    const by = (forbiddenBy?: string, more: Partial<Judgement> = {}): Judgement => ({
      ...result,
      forbiddenBy,
      ...more,
    });

    if (common.length === 0) return by('service');
    if (areEqual(leg1, leg2) || areEqual(leg1.operating, leg2.operating)) return by('same-flight');
    const [arrival, departure] = [off(leg1), board(leg2)];
    const isSameCity = arrival.cityCode !== '' && arrival.cityCode === departure.cityCode;
    if (arrival.iata !== departure.iata && !isSameCity) return by('connection-point');
    if (circuity === undefined) return by('position');
    if (board(leg1).iata === off(leg2).iata || !(circuity <= 250)) return by('circuity');
    if ((leg1.isMarketing || leg2.isMarketing) && leg1.carrier !== leg2.carrier) return by('codeshare');
    const carriers = [
      [leg1.carrier, leg2.carrier],
      [leg1.operatingCarrier, leg2.operatingCarrier],
    ] as const;
    if (carriers.some(([one, other]) => rejects(one, other) || rejects(other, one))) return by('partners');
    const services = common.filter((service) => isAllowed(restricted(leg1), restricted(leg2), service));
    if (services.length === 0) return by('traffic-restriction');
    const { defaults, bodies, mct } = world;
    const meeting = { leg1, leg2, day: Math.floor(arrivesLocal / 1440) };
    const minimum = computeMinimum(meeting, { records: mct.records, defaults, bodies });
    const rest = { minimum, services };
    if (minimum.suppressedBy !== undefined) return by('suppressed', rest);
    if (arrivesUtc + minimum.minutes > departsUtc) return by('minimum-connecting-time', rest);
    return by(minutes > 24 * 60 ? 'maximum-connecting-time' : undefined, rest);
  };
};

const instanceText = ({ flight, departsLocal }: Instance): string =>
  `${formatDesignator(flight)} ${flight.stations.map(({ iata }) => iata).join('-')} ${formatMinute(departsLocal)}`;

export const formatConnection = (one: Instance, other: Instance, judged: Judgement): string => {
  const { minutes, minimum, type, services, circuity } = judged;
  const rule = `${minimum?.status} ${minimum?.minutes} line ${minimum?.line ?? 'none'}`;
  return `${instanceText(one)} > ${instanceText(other)} after ${minutes} (${rule}) ${type} ${services.join('+')} ${circuity?.toFixed(2)}`;
};

export const getDay = ({ departsLocal }: Instance): number => Math.floor(departsLocal / 1440);
