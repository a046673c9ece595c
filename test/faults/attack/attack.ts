import { toJsonObject, type OpenApiOperation } from '../../../src/lib/openapi-document.ts';
import { expect } from 'vitest';
import { reportFault } from '../support/report-fault.ts';
import type { KnownService } from '../../contract/services/known-service.ts';
import type { ServedDocument } from '../../contract/services/served-documents.ts';

/** A response that takes longer proves an injected sleep: each injected sleep lasts three times as long. */
export const MAX_RESPONSE_SECONDS = 10;

/** A request to attack with. */
export type AttackRequest = { readonly path: string; readonly headers: Record<string, string>; readonly body?: string };
/** The response: its status and the total count of records, 0 when it is not a list. */
export type AttackResult = { readonly status: number; readonly total: number };

/** Sends attacks to one operation and collects the anomalies of its responses. */
export type Attack = {
  readonly anomalies: string[];
  /** Sends a request; checks the response against the document and the time limit. */
  readonly send: (request: AttackRequest) => Promise<AttackResult>;
  /** Sends a request and expects the result of a harmless value; 400 and 404 are always accepted. */
  readonly expectSame: (harmless: AttackResult, request: AttackRequest) => Promise<void>;
  /** Sends a request that may match all records, but no more. */
  readonly expectAtMost: (all: AttackResult, request: AttackRequest) => Promise<void>;
  /** Reports the figures, then asserts that there were no anomalies. */
  readonly report: (parameterCounts: Readonly<Record<string, number>>) => void;
};

export const createAttack = (world: KnownService, served: ServedDocument, operation: OpenApiOperation): Attack => {
  const anomalies: string[] = [];
  let [requests, slowest] = [0, 0];
  const method = operation.method.toUpperCase();
  const isRejected = ({ status }: AttackResult): boolean => [400, 404].includes(status);
  const describe = ({ path, headers, body = '' }: AttackRequest): string =>
    `${path} ${JSON.stringify(headers)} ${body}`;
  const sendAndCheck = async (request: AttackRequest): Promise<AttackResult> => {
    const { path, headers, body } = request;
    const startedAt = performance.now();
    const response = await world.on(served)(path, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.clone().text();
    const seconds = (performance.now() - startedAt) / 1000;
    requests += 1;
    slowest = Math.max(slowest, seconds);
    if (seconds > MAX_RESPONSE_SECONDS) anomalies.push(`${describe(request)}: took ${seconds.toFixed(1)} s`);
    const problems = await served.contract.problems(method, operation.path, response);
    anomalies.push(...problems.map((problem) => `${describe(request)}: ${problem}`));
    if (response.status >= 500) anomalies.push(`${describe(request)}: ${response.status}`);
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const { paging } = isJson ? toJsonObject(JSON.parse(text)) : {};
    return { status: response.status, total: Number(toJsonObject(paging)['totalCount'] ?? 0) };
  };
  return {
    anomalies,
    send: sendAndCheck,
    expectSame: async (harmless, request) => {
      const result = await sendAndCheck(request);
      if (isRejected(result)) return;
      if (result.status !== harmless.status || result.total !== harmless.total)
        anomalies.push(`${describe(request)}: ${JSON.stringify(result)}, not ${JSON.stringify(harmless)}`);
    },
    expectAtMost: async (all, request) => {
      const result = await sendAndCheck(request);
      if (isRejected(result)) return;
      if (result.status !== all.status || result.total > all.total)
        anomalies.push(`${describe(request)}: ${JSON.stringify(result)}, more than exists`);
    },
    report: (parameterCounts) => {
      reportFault({
        fault: 28,
        part: `${served.name} ${operation.method} ${operation.path}`,
        figure: {
          ...parameterCounts,
          injections: requests,
          anomalies: anomalies.length,
          'slowest ms': Math.round(slowest * 1000),
        },
        bound: `anomalies 0, slowest below ${MAX_RESPONSE_SECONDS} s`,
      });
      expect(anomalies).toEqual([]);
    },
  };
};
