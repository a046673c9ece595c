import { expect, test } from 'vitest';
import { createCarrierRelations } from '../../../../src/domain/connections/rules/carrier-relations.ts';
import { evaluateRules } from '../../../../src/domain/connections/rules/evaluate-rules.ts';
import { createMctTable } from '../../../../src/domain/connections/mct/mct-table.ts';
import { ruleNames, type RuleVerdict } from '../../../../src/domain/connections/rules/rule-verdict.ts';
import { toDate, type LocalMinute } from '../../../../src/domain/time/dates.ts';
import { listDatedFlights, describeDatedFlight, describeInstance } from './dated-flights.ts';
import { listInstances, board, off, type Instance } from './oracle/flights.ts';
import { createJudge, isCommercial } from './oracle/judge.ts';
import { createRandom } from '../../../lib/seeded-random.ts';
import { toCooperation, buildWorldRecords } from './world-set.ts';
import { createWorlds } from './random-worlds.ts';

test(
  'connecting flights depart and arrive on the scheduled days and at the scheduled times',
  { timeout: 300_000 },
  () => {
    let flights = 0;
    for (const { seed, world } of createWorlds(1, 500)) {
      const actual = buildWorldRecords(world).flatMap(listDatedFlights).map(describeDatedFlight);
      const expected = listInstances(world)
        .filter(({ flight }) => isCommercial(flight))
        .map(describeInstance);
      flights += expected.length;
      expect(actual.toSorted(), `seed ${seed}`).toEqual(expected.toSorted());
    }
    expect(flights).toBeGreaterThan(5_000);
  },
);

/** The parts of a verdict that the oracle returns too. */
const toComparable = (verdicts: readonly RuleVerdict[]) => {
  const rejectedBy = verdicts.find(({ allowed }) => !allowed)?.rule;
  const restriction = verdicts.find((verdict) => verdict.rule === 'traffic-restriction');
  const minimum = verdicts.find((verdict) => verdict.rule === 'minimum-connecting-time');
  return {
    refusal: rejectedBy,
    services: [
      ...(restriction?.figures.passenger ? ['passenger'] : []),
      ...(restriction?.figures.cargo ? ['cargo'] : []),
    ],
    minimum: minimum && [minimum.figures.status, minimum.figures.minimumMinutes, minimum.figures.record?.line],
  };
};

test(
  'two flights on two days have the verdict of the rules: the same first rule, services and record',
  { timeout: 300_000 },
  () => {
    const seen = new Map<string, number>();
    for (const { seed, world } of createWorlds(1, 500)) {
      const random = createRandom(seed);
      const judge = createJudge(world);
      const mct = createMctTable({ records: world.mct.records, defaults: world.defaults });
      const cooperation = createCarrierRelations(toCooperation(world));
      const actual = Map.groupBy(buildWorldRecords(world).flatMap(listDatedFlights), describeDatedFlight);
      // By chance two variations of a designator can depart on one day at one time, which makes them indistinguishable.
      const instances = listInstances(world).filter(
        (instance) => isCommercial(instance.flight) && actual.get(describeInstance(instance))?.length === 1,
      );
      if (instances.length === 0) continue;
      const byBoard = Map.groupBy(instances, ({ flight }) => board(flight).cityCode);
      const pairs: (readonly [Instance, Instance])[] = [];
      for (const one of random.sample(instances, 40)) {
        pairs.push([one, random.pick(instances)]);
        // Few of all pairs have a common airport.
        const near = (byBoard.get(off(one.flight).cityCode) ?? []).filter(
          ({ departsUtc }) => departsUtc > one.arrivesUtc - 60 && departsUtc < one.arrivesUtc + 1500,
        );
        for (const other of random.sample(near, 4)) pairs.push([one, other]);
      }
      for (const [one, other] of pairs) {
        const expected = judge(one, other);
        const [leg1, leg2] = [one, other].map((instance) => actual.get(describeInstance(instance))?.[0]);
        if (!leg1 || !leg2) throw new Error(`seed ${seed}: the service does not know ${describeInstance(one)}`);
        const verdict = toComparable(
          evaluateRules(
            {
              flight1: leg1.of.flight,
              flight2: leg2.of.flight,
              minutes: leg2.departsUtc - leg1.arrivesUtc,
              arrivesOn: toDate(leg1.arrivesLocal as LocalMinute),
            },
            { mct, relations: cooperation },
          ),
        );
        const rule = expected.forbiddenBy ?? 'allowed';
        seen.set(rule, (seen.get(rule) ?? 0) + 1);
        const words = `seed ${seed}: ${describeInstance(one)} > ${describeInstance(other)}`;
        expect(verdict.refusal, words).toBe(expected.forbiddenBy);
        if (!expected.minimum) continue;
        const { status, minutes, line } = expected.minimum;
        expect(verdict, words).toEqual({
          refusal: expected.forbiddenBy,
          services: expected.services,
          minimum: [status, minutes, line],
        });
      }
    }
    // A rule that never decides is not tested.
    expect([...seen.keys()].toSorted()).toEqual(['allowed', ...ruleNames].toSorted());
    expect(Math.min(...seen.values())).toBeGreaterThan(50);
  },
);
