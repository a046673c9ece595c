// What the reports of the suites say, for .ci/run: `node reports.mjs <passed|failed|skipped|failed-files|failures> <report>...`.
// A report `x-again.json` is of the files of `x.json` that failed, tried once more; what it says of them counts.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [what, ...paths] = process.argv.slice(2);

const readFiles = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).testResults : []);

const files = paths.flatMap((path) => {
  const again = new Map(readFiles(path.replace(/\.json$/, '-again.json')).map((file) => [file.name, file]));
  return readFiles(path).map((file) => again.get(file.name) ?? file);
});

const countOf = (...statuses) =>
  files.flatMap((file) => file.assertionResults).filter((test) => statuses.includes(test.status)).length;

// The name of a file stands in it once for each project that has it.
const failedFiles = () => [
  ...new Set(files.filter((file) => file.status === 'failed').map((file) => relative(process.cwd(), file.name))),
];

const indented = (text) => text.slice(0, 600).replaceAll('\n', '\n  ');

const failuresOf = (file) => {
  const name = relative(process.cwd(), file.name);
  const tests = file.assertionResults.filter((test) => test.status === 'failed');
  if (tests.length === 0 && file.status === 'failed') return [`FAILED ${name}\n  ${indented(file.message)}`];
  return tests.map((test) => `FAILED ${name} > ${test.fullName}\n  ${test.failureMessages.map(indented).join('\n  ')}`);
};

const answers = {
  passed: () => [countOf('passed')],
  failed: () => [countOf('failed')],
  skipped: () => [countOf('pending', 'skipped', 'todo')],
  'failed-files': failedFiles,
  failures: () => files.flatMap(failuresOf),
};
for (const line of answers[what]()) console.log(line);
