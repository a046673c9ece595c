/** `make check`: no migration that was ever on main may change; `make schema` records the checksum of a new one. */
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-tool.ts';

const sumsOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n'))
          .digest('hex'),
      ]),
  );

const readRecorded = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );

/**
 * Compares the migrations of a folder with its `SHA256SUMS` (the format of sha256sum). Returns one line for each migration that was changed,
 * removed or not recorded.
 */
export const checkMigrations = (folder: string): readonly string[] => {
  const [current, recorded] = [sumsOf(folder), readRecorded(folder)];
  return [
    ...[...recorded].flatMap(([name, sum]) => {
      const now = current.get(name);
      if (now === undefined) return [`${name} was removed: databases that have it could not be upgraded`];
      return now === sum ? [] : [`${name} was changed: existing databases would be rejected; add a new migration`];
    }),
    ...[...current.keys()]
      .filter((name) => !recorded.has(name))
      .map((name) => `${name} is not recorded in SHA256SUMS: run \`make schema\``),
  ];
};

const shipped = join(root, 'src/server/store/schema/migrations');

/** Adds the checksums of migrations that are not recorded yet; a recorded one is never replaced. */
export const recordMigrations = (): void => {
  const recorded = readRecorded(shipped);
  const added = [...sumsOf(shipped)].filter(([name]) => !recorded.has(name)).map(([name, sum]) => `${sum}  ${name}\n`);
  appendFileSync(join(shipped, 'SHA256SUMS'), added.join(''));
};

if (import.meta.main) {
  const violations = checkMigrations(shipped);
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exitCode = 1;
}
