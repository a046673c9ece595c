import { firstLegOf, findText, type LegRun } from './segment-texts.ts';

/** A restriction as filed for a board and off point. */
export type FiledRestriction = {
  readonly code: string;
  readonly passenger: boolean;
  readonly cargo: boolean;
  readonly mail: boolean;
  readonly atBoard: boolean;
  readonly atOff: boolean;
};

/** Bytes 150-160, or data elements 170-173 by traffic, or 8 for all; 710-712 contain the points. */
export const listRestrictions = (run: LegRun): readonly FiledRestriction[] => {
  const letter = (element: number): string => (findText(run, element) ?? '').trim().slice(0, 1);
  const byTraffic = [
    { code: letter(170), passenger: true, cargo: false, mail: false },
    { code: letter(171), passenger: false, cargo: true, mail: true },
    { code: letter(172), passenger: false, cargo: true, mail: false },
    { code: letter(173), passenger: false, cargo: false, mail: true },
  ].filter(({ code }) => code !== '');
  let codes = byTraffic;
  if (codes.length === 0) {
    let code = firstLegOf(run)
      .trafficRestrictions.charAt(run.legs.length - 1)
      .trim();
    if (code === '' || code === 'Z') code = letter(8) || code;
    if (code !== '') codes = [{ code, passenger: true, cargo: true, mail: true }];
  }
  const [board, off, both] = [710, 711, 712].map((element) => findText(run, element) !== undefined);
  const anywhere = both || (!board && !off);
  return codes.map((one) => ({ ...one, atBoard: anywhere || board === true, atOff: anywhere || off === true }));
};

type Use = 'any' | 'online' | 'international' | 'international online' | 'domestic' | 'none';

/** Use in a connection, by the code for passengers. */
const codesByUse: Readonly<Record<Use, string>> = {
  any: 'KV',
  online: 'EFGXY',
  international: 'NW',
  'international online': 'DOQ',
  domestic: 'C',
  none: 'ABHIMT',
};
const uses = Object.keys(codesByUse) as readonly Use[];
const useForPassengers = (code: string): Use => uses.find((use) => codesByUse[use].includes(code)) ?? 'none';

/** Codes about stopovers, which have another meaning for cargo. */
const cargoMeaning: Readonly<Record<string, string>> = { M: 'A', T: 'A', Q: 'O', V: 'K', W: 'N', X: 'Y' };

const localSale = new Set(['B', 'C', 'F']);
const qualified = new Set(['D', 'E', 'G']);

export type ServiceName = 'passenger' | 'cargo';

export type RestrictedFlight = {
  readonly filed: readonly FiledRestriction[];
  readonly service: string;
  readonly isInternational: boolean;
  readonly carrier: string;
};

type Side = { readonly own: RestrictedFlight; readonly other: RestrictedFlight; readonly point: 'atBoard' | 'atOff' };

const codesOf = ({ filed, service }: RestrictedFlight, on: ServiceName) =>
  filed
    .filter((one) => (on === 'passenger' ? one.passenger : one.cargo || (one.mail && service === 'M')))
    .map((one) => ({ ...one, code: on === 'cargo' ? (cargoMeaning[one.code] ?? one.code) : one.code }));

const sideAllows = ({ own, other, point }: Side, on: ServiceName): boolean =>
  codesOf(own, on).every((one) => {
    if (!one[point]) return localSale.has(one.code);
    const online = own.carrier === other.carrier;
    switch (useForPassengers(one.code)) {
      case 'any':
        return true;
      case 'online':
        return online;
      case 'international':
        return other.isInternational;
      case 'international online':
        return online && other.isInternational;
      case 'domestic':
        return !other.isInternational;
      case 'none':
        return false;
    }
  });

/** Whether restrictions let two flights connect for one of the services. */
export const isAllowed = (leg1: RestrictedFlight, leg2: RestrictedFlight, on: ServiceName): boolean => {
  const isQualified = (one: RestrictedFlight, point: 'atBoard' | 'atOff'): boolean =>
    codesOf(one, on).some((restriction) => restriction[point] && qualified.has(restriction.code));
  return (
    sideAllows({ own: leg1, other: leg2, point: 'atOff' }, on) &&
    sideAllows({ own: leg2, other: leg1, point: 'atBoard' }, on) &&
    !(isQualified(leg1, 'atOff') && isQualified(leg2, 'atBoard'))
  );
};
