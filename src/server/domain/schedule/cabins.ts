import type { Cabin, CabinLetters } from '../master-data/cabin-letters.ts';
import type { FreightClass, Seats } from './schedule.ts';

/** The content of an aircraft configuration/version: seats by cabin (undefined on a pure freighter) and freight capacity. */
export type AircraftConfiguration = {
  readonly seats: Seats | undefined;
  readonly freightClasses: readonly FreightClass[];
};

/** Several letters can stand for one cabin. SSIM has no letter for economy plus: only carriers with `CabinLetters` can file it. */
const cabinOfLetter: ReadonlyMap<string, Cabin> = new Map<string, Cabin>([
  ...[...'PFA'].map((letter) => [letter, 'first'] as const),
  ...[...'JCDIZ'].map((letter) => [letter, 'business'] as const),
  ['W', 'premiumEconomy'],
  ...[...'SY'].map((letter) => [letter, 'economy'] as const),
]);

/** Whether SSIM has a cabin for a letter. */
export const isCabinLetter = (letter: string): boolean => cabinOfLetter.has(letter);

const freightCodes = new Set(['LL', 'PP']);
const wholeConfiguration = /^(?:LL\d{1,3}|PP\d{1,3}|[A-Z]\d{1,3})*(?:VV[A-Z0-9]*)?$/;
const part = /(LL|PP|[A-Z])(\d{1,3})/g;

/**
 * Parses SSIM record 3 bytes 173-192, e.g. `F10J10Y200`, `LL08PP04`, `W18Y112VVCGO`. The text after `VV` is a version without capacity. Cabins that a
 * seat configuration does not list have no seats; economy plus is unknown unless the carrier has a letter for it. Undefined when the text is
 * invalid.
 */
export const parseConfiguration = (text: string, letters: CabinLetters = {}): AircraftConfiguration | undefined => {
  const packed = text.replaceAll(' ', '');
  if (!wholeConfiguration.test(packed)) return undefined;
  const version = packed.indexOf('VV');
  const capacity = version === -1 ? packed : packed.slice(0, version);
  const seats = { first: 0, business: 0, premiumEconomy: 0, economyPlus: 0, economy: 0 };
  const freightClasses: FreightClass[] = [];
  let hasSeats = false;
  for (const [, code = '', quantity = ''] of capacity.matchAll(part)) {
    if (freightCodes.has(code)) {
      freightClasses.push({ code, quantity });
      continue;
    }
    const cabin = cabinOfLetter.get(code);
    if (cabin === undefined) return undefined;
    seats[letters[code] ?? cabin] += Number(quantity);
    hasSeats = true;
  }
  const total = Object.values(seats).reduce((sum, quantity) => sum + quantity, 0);
  const economyPlus = Object.values(letters).includes('economyPlus') ? seats.economyPlus : undefined;
  return { seats: hasSeats ? { ...seats, economyPlus, total } : undefined, freightClasses };
};

const minOfAll = (values: readonly (number | undefined)[]): number | undefined => {
  const present = values.filter((value) => value !== undefined);
  return present.length === values.length && present.length > 0 ? Math.min(...present) : undefined;
};

/** Computes the seats that are available on all of several legs: the minimum of each cabin, and their sum. */
export const computeMinSeats = (seats: readonly Seats[]): Seats => {
  const first = minOfAll(seats.map((each) => each.first));
  const business = minOfAll(seats.map((each) => each.business));
  const premiumEconomy = minOfAll(seats.map((each) => each.premiumEconomy));
  const economyPlus = minOfAll(seats.map((each) => each.economyPlus));
  const economy = minOfAll(seats.map((each) => each.economy));
  const known = [first, business, premiumEconomy, economy];
  const total = known.every((cabin) => cabin !== undefined)
    ? known.reduce((sum, cabin) => sum + cabin, 0) + (economyPlus ?? 0)
    : minOfAll(seats.map((each) => each.total));
  return { first, business, premiumEconomy, economyPlus, economy, total };
};

/** Computes the freight capacity that is available on all of several legs: the kinds that every leg has, each with its minimum. */
export const computeMinFreight = (legs: readonly (readonly FreightClass[])[]): readonly FreightClass[] => {
  const [start = [], ...others] = legs;
  return start.flatMap((kind) => {
    const same = others.map((each) => each.find(({ code }) => code === kind.code));
    if (same.some((each) => each === undefined)) return [];
    return [
      [kind, ...same].reduce<FreightClass>(
        (low, each) => (each && Number(each.quantity) < Number(low.quantity) ? each : low),
        kind,
      ),
    ];
  });
};
