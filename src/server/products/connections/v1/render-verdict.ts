import { DEFAULT_MAX_CONNECTING_MINUTES } from '#domain/connections/rules/connection-point.ts';
import type { RuleName, RuleVerdict } from '#domain/connections/rules/rule-verdict.ts';
import type { Designator } from '#domain/schedule/schedule.ts';
import { toMinimumConnectingTime } from './to-minimum-connecting-time.ts';

type VerdictOf<Rule extends RuleName> = Extract<RuleVerdict, { readonly rule: Rule }>;

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const formatMinutes = (minutes: number): string => `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;

const formatDesignator = ({ carrier, flightNumber, suffix }: Designator): string =>
  `${carrier} ${flightNumber}${suffix}`;

const describeClasses = (classes: readonly string[]): string =>
  classes.length === 0 ? 'neither' : joinWords(classes.map((name) => name.toLowerCase()));

const describeService = ({ allowed, figures: { leg1, leg2 } }: VerdictOf<'service'>): string => {
  const kind = ({ serviceType, classes }: typeof leg1): string =>
    classes.length === 0
      ? `neither for passengers nor for cargo (service type ${serviceType})`
      : `a ${describeClasses(classes)} flight (service type ${serviceType})`;
  const words = `Leg 1 is ${kind(leg1)}, leg 2 is ${kind(leg2)}`;
  return allowed ? `${words}.` : `${words}: they have no traffic in common.`;
};

const describeSameFlight = ({ allowed, figures: { leg1, leg2 } }: VerdictOf<'same-flight'>): string => {
  if (allowed) return `${formatDesignator(leg1.flight)} and ${formatDesignator(leg2.flight)} are different flights.`;
  return formatDesignator(leg1.flight) === formatDesignator(leg2.flight)
    ? `Both legs are ${formatDesignator(leg1.flight)}.`
    : `${formatDesignator(leg1.flight)} and ${formatDesignator(leg2.flight)} are both operated as ${formatDesignator(leg1.operating)}.`;
};

const describeConnectionPoint = ({ allowed, figures }: VerdictOf<'connection-point'>): string => {
  const { arrivalAirport, departureAirport, departureCity, isInterAirport } = figures;
  if (!allowed)
    return `Leg 1 arrives at ${arrivalAirport}, leg 2 departs from ${departureAirport}: these are not airports of one city.`;
  return isInterAirport
    ? `Leg 1 arrives at ${arrivalAirport}, leg 2 departs from ${departureAirport}, another airport of ${departureCity}.`
    : `Leg 2 departs from ${departureAirport}, where leg 1 arrives.`;
};

const describePosition = ({ allowed, figures: { unknown } }: VerdictOf<'position'>): string => {
  if (allowed) return 'The positions of all airports are known.';
  return `The position of ${joinWords(unknown)} is unknown.`;
};

const describeCircuity = ({ allowed, figures }: VerdictOf<'circuity'>): string => {
  const { origin, destination, kilometers, directKilometers, percent, maxPercent } = figures;
  if (percent === undefined)
    return origin === destination
      ? `The connection leads back to its origin ${origin}.`
      : `There is no route between ${origin} and ${destination}: they have the same position.`;
  // More decimals if rounding to one would hide that the limit is exceeded.
  const percentText = percent.toFixed(!allowed && Number(percent.toFixed(1)) <= maxPercent ? 6 : 1);
  return `The route is ${kilometers} km, ${percentText} percent of the direct distance of ${directKilometers} km. The limit is ${maxPercent} percent.`;
};

const describeCodeshare = ({ allowed, figures: { leg1, leg2 } }: VerdictOf<'codeshare'>): string => {
  if (allowed)
    return leg1.carrier === leg2.carrier
      ? `Both legs are sold under the designator ${leg1.carrier}.`
      : 'Neither leg is a marketing flight.';
  const [marketing, other, leg] = leg1.isMarketing ? [leg1, leg2, 1] : [leg2, leg1, 2];
  return `Leg ${leg} is a marketing flight of ${marketing.carrier} and connects with flights of ${marketing.carrier} only, not of ${other.carrier}.`;
};

const describePartners = ({ allowed, figures: { rejections } }: VerdictOf<'partners'>): string => {
  if (allowed) return 'No partner list of either carrier excludes the other.';
  return rejections
    .map(
      ({ carrier, other, line }) =>
        `${carrier} has filed a list of partners (line ${line}), and ${other} is not on it.`,
    )
    .join(' ');
};

const reasons = {
  never: 'allows no connection',
  'not-online': 'allows connections with flights of the same carrier only',
  'not-international': 'allows connections with international flights only',
  'not-domestic': 'allows connections with domestic flights only',
  'no-local-sale': 'allows no local traffic',
  'both-qualified': 'is qualified, and so is one of the other flight',
} as const;

const describeTrafficRestriction = ({
  allowed,
  figures: { passenger, cargo, rejections },
}: VerdictOf<'traffic-restriction'>): string => {
  const why = rejections.map(
    ({ leg, code, airport, service, reason }) =>
      `Restriction ${code} on leg ${leg} at ${airport} ${reasons[reason]} (${service.toLowerCase()}).`,
  );
  const outcome =
    allowed && rejections.length > 0
      ? [`Remaining traffic: ${passenger ? 'passenger' : cargo ? 'cargo' : 'none'}.`]
      : [];
  return rejections.length === 0 ? 'No traffic restriction forbids it.' : [...why, ...outcome].join(' ');
};

const describeSuppression = ({ figures: { record } }: VerdictOf<'suppressed'>): string =>
  record ? `The record in line ${record.line} suppresses this connection.` : 'No record suppresses it.';

const describeMinimum = ({ allowed, figures }: VerdictOf<'minimum-connecting-time'>): string => {
  const { actualMinutes, minimumMinutes, status, record } = figures;
  const { source } = toMinimumConnectingTime({ minutes: minimumMinutes, status, record });
  const from = {
    Default: 'the default',
    StationStandard: `the standard of the airport in line ${record?.line}`,
    Exception: `the exception in line ${record?.line}`,
  }[source];
  const gap =
    actualMinutes < 0
      ? `Leg 2 departs ${formatMinutes(-actualMinutes)} before leg 1 arrives`
      : `Leg 2 departs ${formatMinutes(actualMinutes)} after leg 1 arrives`;
  const missed = allowed ? '' : `: ${formatMinutes(minimumMinutes - actualMinutes)} too few`;
  return `${gap}; the minimum is ${formatMinutes(minimumMinutes)} (${status}, ${from})${missed}.`;
};

const describeMaximum = ({
  allowed,
  figures: { actualMinutes, maximumMinutes },
}: VerdictOf<'maximum-connecting-time'>): string => {
  if (!allowed)
    return `Leg 2 departs ${formatMinutes(actualMinutes)} after leg 1 arrives; more than ${maximumMinutes} minutes are a stopover.`;
  const words = `Leg 2 departs no more than ${formatMinutes(maximumMinutes)} after leg 1 arrives.`;
  return actualMinutes > DEFAULT_MAX_CONNECTING_MINUTES
    ? `${words} A search returns the connection only with MaxConnectingTime=${actualMinutes} or more; the default is ${DEFAULT_MAX_CONNECTING_MINUTES}.`
    : words;
};

/** Renders the verdict of a rule as a sentence. */
export const renderVerdict = (verdict: RuleVerdict): string => {
  switch (verdict.rule) {
    case 'service':
      return describeService(verdict);
    case 'same-flight':
      return describeSameFlight(verdict);
    case 'connection-point':
      return describeConnectionPoint(verdict);
    case 'position':
      return describePosition(verdict);
    case 'circuity':
      return describeCircuity(verdict);
    case 'codeshare':
      return describeCodeshare(verdict);
    case 'partners':
      return describePartners(verdict);
    case 'traffic-restriction':
      return describeTrafficRestriction(verdict);
    case 'suppressed':
      return describeSuppression(verdict);
    case 'minimum-connecting-time':
      return describeMinimum(verdict);
    case 'maximum-connecting-time':
      return describeMaximum(verdict);
  }
};
