import { toJsonObject, type OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { expect } from 'vitest';
import { reportFault } from '../support/report-fault.ts';
import type { KnownService } from '../../contract/services/known-service.ts';
import type { ServedDocument } from '../../contract/services/served-documents.ts';

/** An answer that takes longer has slept: each sleep that is sent lasts three times as long. */
export const MAX_RESPONSE_SECONDS = 10;

/** A question, and how many records its answer has in all: 0 of what is no list. */
export type AttackRequest = { readonly path: string; readonly headers: Record<string, string>; readonly body?: string };
export type AttackResult = { readonly status: number; readonly total: number };

/** Asks one operation what it should not mind, and keeps all that was odd in its answers. */
export type Attack = {
  readonly anomalies: string[];
  /** Asks, and holds the answer against the document and the clock. */
  readonly send: (asked: AttackRequest) => Promise<AttackResult>;
  /** Asks, and holds what is found against what was found for a value that is harmless: refused it may always be. */
  readonly expectSame: (harmless: AttackResult, asked: AttackRequest) => Promise<void>;
  /** Asks what no filter takes: it may find as much as there is, and no more. */
  readonly expectAtMost: (all: AttackResult, asked: AttackRequest) => Promise<void>;
  /** Tells the figures, then asserts that nothing was odd. */
  readonly report: (places: Readonly<Record<string, number>>) => void;
};

export const createAttack = (world: KnownService, served: ServedDocument, operation: OpenApiOperation): Attack => {
  const anomalies: string[] = [];
  let [asks, slowest] = [0, 0];
  const method = operation.method.toUpperCase();
  const isFine = ({ status }: AttackResult): boolean => [400, 404].includes(status);
  const nameOf = ({ path, headers, body = '' }: AttackRequest): string => `${path} ${JSON.stringify(headers)} ${body}`;
  const ask = async (asked: AttackRequest): Promise<AttackResult> => {
    const { path, headers, body } = asked;
    const began = performance.now();
    const response = await world.on(served)(path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.clone().text();
    const seconds = (performance.now() - began) / 1000;
    asks += 1;
    slowest = Math.max(slowest, seconds);
    if (seconds > MAX_RESPONSE_SECONDS) anomalies.push(`${nameOf(asked)}: took ${seconds.toFixed(1)} s`);
    const problems = await served.contract.problems(method, operation.path, response);
    anomalies.push(...problems.map((problem) => `${nameOf(asked)}: ${problem}`));
    if (response.status >= 500) anomalies.push(`${nameOf(asked)}: ${response.status}`);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const { paging } = isJson ? toJsonObject(JSON.parse(text)) : {};
    return { status: response.status, total: Number(toJsonObject(paging)['totalCount'] ?? 0) };
  };
  return {
    anomalies,
    send: ask,
    expectSame: async (harmless, asked) => {
      const found = await ask(asked);
      if (isFine(found)) return;
      if (found.status !== harmless.status || found.total !== harmless.total)
        anomalies.push(`${nameOf(asked)}: ${JSON.stringify(found)}, not ${JSON.stringify(harmless)}`);
    },
    expectAtMost: async (all, asked) => {
      const found = await ask(asked);
      if (isFine(found)) return;
      if (found.status !== all.status || found.total > all.total)
        anomalies.push(`${nameOf(asked)}: ${JSON.stringify(found)}, more than there is`);
    },
    report: (places) => {
      reportFault({
        fault: 28,
        part: `${served.name} ${operation.method} ${operation.path}`,
        figure: { ...places, injections: asks, anomalies: anomalies.length, 'slowest ms': Math.round(slowest * 1000) },
        bound: `anomalies 0, slowest below ${MAX_RESPONSE_SECONDS} s`,
      });
      expect(anomalies).toEqual([]);
    },
  };
};
