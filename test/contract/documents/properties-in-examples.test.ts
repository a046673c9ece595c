import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#contract/run-tool.ts';

/**
 * Properties that no example has: the mock never returns them. A new property is not added here but to an example, and one that gets an
 * example is taken away.
 */
const withoutExample: Readonly<Record<string, string>> = {
  'connections/v1':
    'boardPoint country firstFlightNumber lastFlightNumber leg mail meaning number offPoint operator other readAs reason region service state station suppressionCountry suppressionRegion suppressionState terminal',
  'flight-info-alerts/v1':
    'aircraftOwner boardPoint cabinCrewEmployer cargo cockpitCrewEmployer economyPlusClass mail next number offPoint operatingAirlineDisclosure operatingFlight originalStatusKey passenger station',
  'flight-info/v1': 'cockpitCrewEmployer correction',
  'flight-info/v2':
    'boardPoint cabinCrewEmployer cargo cockpitCrewEmployer confirmedAt correction economyPlusClass filed isEstimated mail offPoint sources',
  'master-data/v1': '',
  'schedules/v1': 'boardPoint cargo mail offPoint',
  'status-feed/v1': 'ageSeconds name sources stale',
};

/** Collects the names of properties in schemas, and those of members in examples. */
const collectNames = (document: unknown) => {
  const [declared, shown] = [new Set<string>(), new Set<string>()];
  const visit = (node: unknown, isExample: boolean): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, isExample);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    for (const [name, value] of Object.entries(node)) {
      if (isExample) shown.add(name);
      if (!isExample && name === 'properties')
        for (const property of Object.keys(Object(value))) declared.add(property);
      visit(value, isExample || name === 'examples' || name === 'example');
    }
  };
  visit(document, false);
  return { declared, shown };
};

test.each(globSync('generated/*/v*/openapi.json', { cwd: root }).toSorted())(
  'every property of %s is in an example',
  (path) => {
    const { declared, shown } = collectNames(JSON.parse(readFileSync(join(root, path), 'utf8')));
    const missing = [...declared].filter((name) => !shown.has(name)).toSorted();
    expect(missing.join(' ')).toBe(withoutExample[path.split('/').slice(1, 3).join('/')] ?? '');
  },
);
