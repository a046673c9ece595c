import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '#contract/run-tool.ts';

/** The code of a sample, and the environment variables that it reads. */
export type SampleRun = { readonly code: string; readonly env: Readonly<Record<string, string>> };

type Program = { readonly command: string; readonly args: readonly string[]; readonly input?: string };
type ProgramOptions = {
  readonly runs: readonly SampleRun[];
  readonly folder: string;
  readonly base: string;
  readonly day: string;
};

/** The base URL in the samples. */
const DOCUMENTED_SERVER = 'http://localhost:8080';

const canRun = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

const python = ['python3', '/usr/bin/python3'].find((command) => canRun(command, ['-c', 'import requests']));

/** Why a language is skipped; CI has all of them. */
export const missingLanguages: Readonly<Record<string, string | undefined>> = {
  Python: python === undefined ? 'no python3 with the package requests' : undefined,
  Go: canRun('go', ['version']) ? undefined : 'no go on the PATH',
};

const createCurlProgram = ({ runs, base, day }: ProgramOptions): Program => {
  const scripts = runs.map(({ code, env }) => {
    const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
    return `(${variables.join(' ')}\n${code.replaceAll(DOCUMENTED_SERVER, base)}\n)\n`;
  });
  return { command: 'sh', args: ['-c', `set -eu\ndate() { echo '${day}'; }\n${scripts.join('')}`] };
};

/** Runs each sample as a module; the clock is that of the server. */
const createTypeScriptProgram = ({ runs, folder, base, day }: ProgramOptions): Program => {
  const lines = runs.map(({ code, env }, index) => {
    const client = join(root, 'src/client/index.ts');
    const module = code.replaceAll("'flightdata-client'", `'${client}'`).replaceAll(DOCUMENTED_SERVER, base);
    writeFileSync(join(folder, `sample-${index}.ts`), `${module}\nexport {};\n`);
    return `Object.assign(process.env, ${JSON.stringify(env)});\nawait import('./sample-${index}.ts');\n`;
  });
  const clock = `const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? ['${day}T12:00:00Z'] : values));
  }
};\n`;
  writeFileSync(join(folder, 'run.mjs'), clock + lines.join(''));
  return { command: process.execPath, args: [join(folder, 'run.mjs')] };
};

const pythonRunner = (day: string): string => `
import datetime, json, os, sys
import requests
class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromisoformat("${day}T12:00:00+00:00")
datetime.datetime = Clock
for run in json.load(sys.stdin):
    os.environ.update(run["env"])
    exec(compile(run["code"], "sample", "exec"), {})
`;

const createPythonProgram = ({ runs, base, day }: ProgramOptions): Program => ({
  command: python ?? 'python3',
  args: ['-c', pythonRunner(day)],
  input: JSON.stringify(runs.map((run) => ({ ...run, code: run.code.replaceAll(DOCUMENTED_SERVER, base) }))),
});

const goRunner = (count: number): string => `package main

import (
	"encoding/json"
	"log"
	"os"
)

var base = os.Getenv("BASE")

func main() {
	var environments []map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&environments); err != nil {
		log.Fatal(err)
	}
	for index, run := range []func(){${Array.from({ length: count }, (_, index) => `sample${index}`).join(', ')}} {
		for name, value := range environments[index] {
			os.Setenv(name, value)
		}
		run()
	}
}
`;

const goClock = `package clock

import "time"

type Time = time.Time

func Now() time.Time {
	now, _ := time.Parse("2006-01-02", "DAY")
	return now
}
`;

/** Builds one program with a function for each sample. It contains no address or identifier, so that Go caches its packages. */
const createGoProgram = ({ runs, folder, base, day }: ProgramOptions): Program => {
  const write = (path: string, content: string): void => writeFileSync(join(folder, path), content);
  mkdirSync(join(folder, 'clock'));
  write('go.mod', 'module samples\n\ngo 1.18\n');
  write('clock/clock.go', goClock.replace('DAY', day));
  write('main.go', goRunner(runs.length));
  for (const [index, { code }] of runs.entries()) {
    const program = code
      .replace('func main()', `func sample${index}()`)
      .replace('\t"time"', '\ttime "samples/clock"')
      .replaceAll(`"${DOCUMENTED_SERVER}`, 'base+"');
    write(`sample${index}.go`, program);
  }
  const script = `cd '${folder}' && GOFLAGS=-mod=mod go build -o program . && BASE='${base}' ./program`;
  return { command: 'sh', args: ['-c', script], input: JSON.stringify(runs.map(({ env }) => env)) };
};

const programs = {
  curl: createCurlProgram,
  TypeScript: createTypeScriptProgram,
  Python: createPythonProgram,
  Go: createGoProgram,
};

/** Runs all samples of a language in one process, on the server at `base` whose date is `day`. Throws its output when it fails. */
export const runSamples = async (language: keyof typeof programs, options: ProgramOptions): Promise<void> => {
  const { command, args, input } = programs[language](options);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.end(input ?? '');
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`the ${language} samples ended with ${code}: ${out.slice(-2000)}${err.slice(-4000)}`);
};
