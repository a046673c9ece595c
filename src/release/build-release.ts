import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '#contract/run-tool.ts';
import { LICENCES_FILE } from './third-party-licences.ts';

const CHECKSUMS = 'SHA256SUMS';

/** Runs a command and returns its standard output. Throws its output when it fails. */
const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
};

const runScript = (script: string, cwd: string): void => void run(process.execPath, [script], cwd);

/** Throws when tracked files differ from the commit: the release would not be that of the commit. */
const assertCommitted = (): void => {
  const changed = run('git', ['status', '--porcelain', '--untracked-files=no'], root).trimEnd();
  if (changed !== '') throw new Error(`these files differ from the last commit; commit or restore them:\n${changed}`);
};

/** Writes the files of the commit into a folder, without any other file of the checkout. */
const checkOut = (source: string): void => {
  run('git', ['checkout-index', '--all', `--prefix=${source}/`], root);
  symlinkSync(realpathSync(join(root, 'node_modules')), join(source, 'node_modules'));
};

/** `npm pack` gives entries a fixed order, time and owner. Their modes are those of the files. */
const pack = (folder: string, outDir: string): void =>
  void run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', outDir], folder);

type Archive = { readonly name: string; readonly description: string };

/** Packs a folder of files that are no npm package: `npm pack` needs a name and a version. */
const packFiles = (folder: string, { name, description }: Archive, release: Release): void => {
  const { version, license } = release.manifest;
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, description, license }, undefined, 2)}\n`,
  );
  // Not that of the checkout, whose mode depends on its umask.
  copyFileSync(join(release.source, 'LICENSE'), join(folder, 'LICENSE'));
  pack(folder, release.outDir);
};

type Release = {
  /** The files of the commit. */
  readonly source: string;
  readonly outDir: string;
  readonly manifest: { readonly version: string; readonly license: string };
};

const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
};

/** Copies OpenAPI, AsyncAPI and recipes to the paths at which servers publish them, with collections and the schema of the status feed. */
const copyDocuments = (source: string, folder: string): void => {
  for (const path of globSync('*/*/{openapi,asyncapi}.json', { cwd: join(source, 'generated') })) {
    const [product = '', version = '', name = ''] = path.split('/');
    copy(join(source, 'generated', path), join(folder, name.replace('.json', ''), product, `${version}.json`));
  }
  for (const path of globSync('{recipes,feeds}/*.json', { cwd: join(source, 'generated') }))
    copy(join(source, 'generated', path), join(folder, path));
  for (const path of globSync('*/*.{bruno,postman}.json', { cwd: join(source, 'dist/portal') }))
    copy(join(source, 'dist/portal', path), join(folder, 'collections', path));
};

const buildPackages = (release: Release): void => {
  const { source, outDir } = release;
  const { version } = release.manifest;
  runScript('src/release/build.ts', source);
  pack(source, outDir);
  const licences = join(source, 'dist', LICENCES_FILE);
  copy(licences, join(outDir, LICENCES_FILE));
  runScript('src/release/build-client.ts', source);
  pack(join(source, 'dist/client'), outDir);
  runScript('src/release/build-mock.ts', source);
  pack(join(source, 'dist/mock'), outDir);
  const documents = join(source, 'build/documents');
  copyDocuments(source, documents);
  packFiles(
    documents,
    { name: 'flightdata-documents', description: 'OpenAPI, AsyncAPI, recipes and collections.' },
    release,
  );
  const portal = join(source, 'build/portal');
  cpSync(join(source, 'dist/portal'), portal, { recursive: true });
  copy(licences, join(portal, LICENCES_FILE));
  packFiles(portal, { name: 'flightdata-portal', description: 'The documentation portal.' }, release);
  runScript('src/release/build-sbom.ts', source);
  copy(join(source, 'dist/sbom.cdx.json'), join(outDir, `flightdata-${version}.cdx.json`));
};

/** Names what the bytes depend on: with another Node.js or npm, archives can be compressed differently. */
const writeBuildInfo = ({ outDir, manifest: { version } }: Release): void => {
  const commit = run('git', ['rev-parse', 'HEAD'], root).trim();
  const npm = run('npm', ['--version'], root).trim();
  const info = { version, commit, node: process.version, npm };
  writeFileSync(join(outDir, 'build-info.json'), `${JSON.stringify(info, undefined, 2)}\n`);
};

const writeChecksums = (outDir: string): void => {
  const lines = readdirSync(outDir)
    .toSorted()
    .map((name) => `${hash('sha256', readFileSync(join(outDir, name)))}  ${name}\n`);
  writeFileSync(join(outDir, CHECKSUMS), lines.join(''));
};

const printFiles = (outDir: string): void => {
  for (const name of readdirSync(outDir).toSorted())
    console.log(`${String(statSync(join(outDir, name)).size).padStart(9)} bytes  ${name}`);
};

/**
 * Writes the files of a release into a folder, which it empties first. They are built from the files of the last commit: the same commit,
 * Node.js, npm and packages give the same bytes.
 */
const buildRelease = (outDir: string): void => {
  // Modes of files are part of archives.
  process.umask(0o022);
  assertCommitted();
  mkdirSync(join(root, 'build'), { recursive: true });
  const source = mkdtempSync(join(root, 'build/release-'));
  const manifest: Release['manifest'] = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  try {
    checkOut(source);
    const release = { source, outDir, manifest };
    buildPackages(release);
    writeBuildInfo(release);
    writeChecksums(outDir);
  } finally {
    rmSync(source, { recursive: true });
  }
};

const started = performance.now();
const outDir = join(root, 'dist/release');
try {
  buildRelease(outDir);
  printFiles(outDir);
  console.log(`dist/release written in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
