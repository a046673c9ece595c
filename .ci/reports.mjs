// Summarizes the JSON reports of the test runs for .ci/run: `node reports.mjs <passed|failed|skipped|failures> <report>...`.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [summary, ...paths] = process.argv.slice(2);

const files = paths.filter(existsSync).flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).testResults);

const count = (...statuses) =>
  files.flatMap((file) => file.assertionResults).filter((test) => statuses.includes(test.status)).length;

const indent = (text) => text.slice(0, 600).replaceAll('\n', '\n  ');

const listFailures = (file) => {
  const name = relative(process.cwd(), file.name);
  const tests = file.assertionResults.filter((test) => test.status === 'failed');
  if (tests.length === 0 && file.status === 'failed') return [`FAILED ${name}\n  ${indent(file.message)}`];
  return tests.map((test) => `FAILED ${name} > ${test.fullName}\n  ${test.failureMessages.map(indent).join('\n  ')}`);
};

const summaries = {
  passed: () => [count('passed')],
  failed: () => [count('failed')],
  skipped: () => [count('pending', 'skipped', 'todo')],
  failures: () => files.flatMap(listFailures),
};
for (const line of summaries[summary]()) console.log(line);
