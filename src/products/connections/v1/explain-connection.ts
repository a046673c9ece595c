import type { ExplainedConnection, ExplainedLeg, Explanation } from '../../../../generated/connections/v1/types.gen.ts';
import type { ConnectionSet } from '../../../domain/connections/connection-set.ts';
import { newCooperation } from '../../../domain/connections/rules/cooperation.ts';
import { judgeConnection, type ConnectionRules } from '../../../domain/connections/rules/judge-connection.ts';
import type { Verdict } from '../../../domain/connections/rules/verdict.ts';
import { addDays, formatDate, MINUTES_A_DAY, type LocalDate } from '../../../domain/time/dates.ts';
import type { Directory } from '../../../domain/master-data/directory.ts';
import { answer, type Answer } from '../../../http/response/rendered.ts';
import { askExplanation } from './parse-explanation-query.ts';
import type { Deps } from './deps.ts';
import { pairsToExplain, type DatedFlight, type DatedPair } from './pairs-to-explain.ts';
import type { ExplainQuery } from './routes.ts';
import { datesOfSet, servedSet, setHeaders } from './current-set.ts';
import { showLeg } from './to-leg.ts';
import { showVerdict } from './to-verdict.ts';

const arrivalDate = ({ flight: { record }, date }: DatedFlight): LocalDate =>
  addDays(date, Math.floor(record.arrivalLocalMinutes / MINUTES_A_DAY));

const showExplainedLeg = (dated: DatedFlight, leg1Date: LocalDate, directory: Directory): ExplainedLeg => ({
  ...showLeg(dated.flight, { date: dated.date, intervalDays: dated.date - leg1Date }, directory),
  departureDate: formatDate(dated.date),
  arrivalDate: formatDate(arrivalDate(dated)),
});

const minutesBetween = ({ leg1, leg2 }: DatedPair): number => leg2.departsAtUtc - leg1.arrivesAtUtc;

const judge = (pair: DatedPair, rules: ConnectionRules): readonly Verdict[] => {
  const [flight1, flight2] = [pair.leg1.flight.flight, pair.leg2.flight.flight];
  return judgeConnection({ flight1, flight2, minutes: minutesBetween(pair), arrivesOn: arrivalDate(pair.leg1) }, rules);
};

const explainPair = (pair: DatedPair, rules: ConnectionRules, directory: Directory): ExplainedConnection => {
  const { leg1, leg2 } = pair;
  const [flight1, flight2] = [leg1.flight.flight, leg2.flight.flight];
  const verdicts = judge(pair, rules);
  const forbidding = verdicts.find(({ allowed }) => !allowed);
  const arrival = flight1.airports.at(-1) ?? flight1.airports[1];
  const destination = flight2.airports.at(-1) ?? flight2.airports[1];
  return {
    origin: flight1.airports[0].iata,
    via: { arrivalAirport: arrival.iata, departureAirport: flight2.airports[0].iata },
    destination: destination.iata,
    leg1: showExplainedLeg(leg1, leg1.date, directory),
    leg2: showExplainedLeg(leg2, leg1.date, directory),
    connectingTime: minutesBetween(pair),
    legal: forbidding === undefined,
    ...(forbidding && { forbiddenBy: forbidding.rule }),
    verdicts: verdicts.map(showVerdict),
  };
};

/** What is known of carriers is put in order once for each set. */
const rulesOfSets = new WeakMap<ConnectionSet, ConnectionRules>();

const rulesOf = (set: ConnectionSet): ConnectionRules => {
  const known = rulesOfSets.get(set);
  if (known) return known;
  const rules = { mct: set.mct, cooperation: newCooperation(set.header.cooperation) };
  rulesOfSets.set(set, rules);
  return rules;
};

/** GET /flight-connections/explain: two flights held against every rule. */
export const explainConnection = async (query: ExplainQuery, deps: Deps): Promise<Answer<200, Explanation>> => {
  const directory = deps.directory();
  const published = servedSet(deps);
  const { id, builtAt, set } = published;
  const rules = rulesOf(set);
  const allows = (pair: DatedPair): boolean => judge(pair, rules).every(({ allowed }) => allowed);
  const pairs = pairsToExplain(set, askExplanation(query, directory), allows);
  const connections = pairs.map((pair) => explainPair(pair, rules, directory));
  const body: Explanation = {
    legal: connections.some(({ legal }) => legal),
    set: { id, builtAt: builtAt.toISOString(), ...datesOfSet(published) },
    connections,
  };
  return answer(200, body, setHeaders(published));
};
