import type { explainConnectionRoute } from '#generated/connections/v1/routes.gen.ts';
import type { ExplainedConnection, ExplainedLeg, Explanation } from '#generated/connections/v1/types.gen.ts';
import type { ConnectionSet } from '#domain/connections/set/connection-set.ts';
import { createCarrierRelations } from '#domain/connections/rules/carrier-relations.ts';
import { evaluateRules, type ConnectionRules } from '#domain/connections/rules/evaluate-rules.ts';
import type { RuleVerdict } from '#domain/connections/rules/rule-verdict.ts';
import { addDays, formatDate, MINUTES_A_DAY, type LocalDate } from '#domain/time/dates.ts';
import type { MasterDataIndex } from '#domain/master-data/master-data-index.ts';
import type { OperationContext } from '#http/context/env.ts';
import { parseExplanationQuery } from './parse-query.ts';
import type { Deps } from './deps.ts';
import { findPairs, type DatedFlight, type DatedPair } from './find-pairs.ts';
import { toSetDates, getCurrentSet, createSetHeaders } from './current-set.ts';
import { toLeg } from './to-leg.ts';
import { toVerdict } from './to-verdict.ts';

const arrivalDate = ({ flight: { record }, date }: DatedFlight): LocalDate =>
  addDays(date, Math.floor(record.arrivalLocalMinutes / MINUTES_A_DAY));

const toExplainedLeg = (dated: DatedFlight, leg1Date: LocalDate, masterDataIndex: MasterDataIndex): ExplainedLeg => ({
  ...toLeg(dated.flight, { date: dated.date, intervalDays: dated.date - leg1Date }, masterDataIndex),
  departureDate: formatDate(dated.date),
  arrivalDate: formatDate(arrivalDate(dated)),
});

const minutesBetween = ({ leg1, leg2 }: DatedPair): number => leg2.departsAtUtc - leg1.arrivesAtUtc;

const evaluatePair = (pair: DatedPair, rules: ConnectionRules): readonly RuleVerdict[] => {
  const [flight1, flight2] = [pair.leg1.flight.flight, pair.leg2.flight.flight];
  return evaluateRules({ flight1, flight2, minutes: minutesBetween(pair), arrivesOn: arrivalDate(pair.leg1) }, rules);
};

const explainPair = (
  pair: DatedPair,
  rules: ConnectionRules,
  masterDataIndex: MasterDataIndex,
): ExplainedConnection => {
  const { leg1, leg2 } = pair;
  const [flight1, flight2] = [leg1.flight.flight, leg2.flight.flight];
  const verdicts = evaluatePair(pair, rules);
  const forbidding = verdicts.find(({ allowed }) => !allowed);
  const arrival = flight1.airports.at(-1) ?? flight1.airports[1];
  const destination = flight2.airports.at(-1) ?? flight2.airports[1];
  return {
    origin: flight1.airports[0].iata,
    via: { arrivalAirport: arrival.iata, departureAirport: flight2.airports[0].iata },
    destination: destination.iata,
    leg1: toExplainedLeg(leg1, leg1.date, masterDataIndex),
    leg2: toExplainedLeg(leg2, leg1.date, masterDataIndex),
    connectingTime: minutesBetween(pair),
    legal: forbidding === undefined,
    ...(forbidding && { forbiddenBy: forbidding.rule }),
    verdicts: verdicts.map(toVerdict),
  };
};

/** The rules of each set, cached: they index the relations of all carriers. */
const cachedRules = new WeakMap<ConnectionSet, ConnectionRules>();

const getRules = (set: ConnectionSet): ConnectionRules => {
  const cached = cachedRules.get(set);
  if (cached) return cached;
  const rules = { mct: set.mctTable, relations: createCarrierRelations(set.header.cooperation) };
  cachedRules.set(set, rules);
  return rules;
};

/** GET /flight-connections/explain: checks two flights against every rule. */
export const explainConnection = async (c: OperationContext<typeof explainConnectionRoute>, deps: Deps) => {
  const masterDataIndex = deps.masterDataIndex();
  const published = getCurrentSet(deps);
  const { id, builtAt, set } = published;
  const rules = getRules(set);
  const isAllowed = (pair: DatedPair): boolean => evaluatePair(pair, rules).every(({ allowed }) => allowed);
  const pairs = findPairs(set, parseExplanationQuery(c.req.valid('query'), masterDataIndex), isAllowed);
  const connections = pairs.map((pair) => explainPair(pair, rules, masterDataIndex));
  const body: Explanation = {
    legal: connections.some(({ legal }) => legal),
    set: { id, builtAt: builtAt.toISOString(), ...toSetDates(published) },
    connections,
  };
  return c.json(body, 200, createSetHeaders(published));
};
